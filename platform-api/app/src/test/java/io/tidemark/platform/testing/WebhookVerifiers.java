package io.tidemark.platform.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/**
 * The reference libraries of Standard Webhooks for Python, JavaScript and Go, each as a program
 * that verifies one delivery. They are fetched once, below the stack's folder.
 */
public final class WebhookVerifiers {

  private static final Path FOLDER = Path.of("src", "test", "webhooks").toAbsolutePath();
  private static final Path HOME =
      Path.of("..", "..", ".tidemark", "webhooks").toAbsolutePath().normalize();
  private static final long PATIENCE_SECONDS = 60;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Map<String, List<String>> programs = new LinkedHashMap<>();

  /**
   * @throws IllegalStateException if they cannot be fetched
   */
  public WebhookVerifiers() throws IOException, InterruptedException {
    Run prepared = run(List.of(FOLDER.resolve("prepare.sh").toString(), HOME.toString()), "");
    if (prepared.exit() != 0) {
      throw new IllegalStateException(prepared.told());
    }
    programs.put(
        "python",
        List.of(
            HOME.resolve("python/bin/python").toString(), FOLDER.resolve("verify.py").toString()));
    programs.put("javascript", List.of("node", HOME.resolve("verify.js").toString()));
    programs.put("go", List.of(HOME.resolve("verify-go").toString()));
  }

  /** What a program said: 0 verified, 1 refused, else it did not run. */
  public record Run(int exit, String told) {}

  /** What each library says of a delivery, by language. */
  public Map<String, Run> verify(String secret, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    String delivery =
        JSON.writeValueAsString(Map.of("secret", secret, "body", body, "headers", headers));
    Map<String, Run> said = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> program : programs.entrySet()) {
      said.put(program.getKey(), run(program.getValue(), delivery));
    }
    return said;
  }

  private static Run run(List<String> command, String input)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(command + " did not end");
    }
    return new Run(process.exitValue(), told);
  }
}
