package io.tidemark.platform.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Schemathesis, which makes requests from an OpenAPI document and compares the answers with it. It
 * lives in an environment of its own below the stack's folder; Python fetches it once.
 */
public final class Schemathesis {

  private static final Path FOLDER = Path.of("src", "test", "schemathesis").toAbsolutePath();
  private static final Path DOCUMENTS = Path.of("..", "contracts", "openapi").toAbsolutePath();
  private static final Path HOME =
      Path.of("..", "..", ".tidemark", "python", "contracts").toAbsolutePath();

  /** It leaves a folder where it is started. */
  private static final Path WORK = Path.of("target");

  private final String program;

  /**
   * @throws IllegalStateException if there is no Python to run it with
   */
  public Schemathesis() throws IOException, InterruptedException {
    Run prepared = run(List.of(FOLDER.resolve("prepare.sh").toString(), HOME.toString()), Map.of());
    if (prepared.exit() != 0) {
      throw new IllegalStateException(prepared.told());
    }
    String[] lines = prepared.told().strip().split("\n");
    program = lines[lines.length - 1];
  }

  /**
   * A run that ended.
   *
   * @param exit 0 when every answer was as the document says
   * @param told what it printed
   */
  public record Run(int exit, String told) {}

  /**
   * Tests every operation of a document.
   *
   * @param configuration file in src/test/schemathesis
   * @param values what its variables stand for
   */
  public Run test(
      String document, String url, String configuration, Map<String, String> values, String... more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of("--config-file", FOLDER.resolve(configuration).toString()));
    command.addAll(List.of("run", DOCUMENTS.resolve(document).toString(), "--url", url));
    // More workers and CPython 3.11 loses count of its recursion now and then.
    command.addAll(List.of("--no-color", "--workers", "1", "--warnings", "off"));
    command.addAll(List.of("--generation-database", "none"));
    command.addAll(List.of(more));
    return run(command, values);
  }

  private static Run run(List<String> command, Map<String, String> values)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).directory(WORK.toFile());
    builder.environment().putAll(values);
    Process process = builder.start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), told);
  }
}
