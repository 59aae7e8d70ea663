package io.tidemark.pipeline.support;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the readers of integration-tests/lake against the stack's lake. */
public final class LakeReader {

  private final Path folder;
  private final String python;
  private final Map<String, String> environment;

  /**
   * @throws IllegalStateException if there is no Python to read with
   */
  public LakeReader(RunningStack.Started stack) throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("tidemark.root")).toRealPath();
    this.folder = root.resolve("integration-tests/lake");
    // The coordinates say how an object store is reached, too.
    this.environment = new LinkedHashMap<>(stack.coordinates().values());
    environment.put("TIDEMARK_CATALOG_USER", "tidemark");
    environment.put("TIDEMARK_CATALOG_PASSWORD", password(stack));
    // Classes that run at the same time share the environment that the first of them makes.
    synchronized (LakeReader.class) {
      this.python =
          run(List.of(
                  folder.resolve("prepare.sh").toString(),
                  root.resolve(".tidemark/python/lake").toString()))
              .strip();
    }
  }

  /** What read_tables.py prints. */
  public JsonNode read(String organization, String metric)
      throws IOException, InterruptedException {
    return JsonHttp.JSON.readTree(
        run(List.of(python, folder.resolve("read_tables.py").toString(), organization, metric)));
  }

  /** What sum_tables.py prints. */
  public JsonNode totals(String organization, Collection<String> metrics)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(python);
    command.add(folder.resolve("sum_tables.py").toString());
    command.add(organization);
    command.addAll(metrics);
    return JsonHttp.JSON.readTree(run(command));
  }

  /** What the Python of docs/reference/lake.md prints. */
  public String page(String organization, String metric) throws IOException, InterruptedException {
    return run(List.of(
            python,
            folder.resolve("lake_shell.py").toString(),
            folder.resolve("../../docs/reference/lake.md").toString(),
            organization,
            metric))
        .strip();
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    builder.environment().putAll(environment);
    Process process = builder.start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String faults = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(command + " failed:\n" + told + faults);
    }
    return told;
  }

  private static String password(RunningStack.Started stack) {
    return EnvironmentFile.read(stack.settings().home().resolve("secrets.env"))
        .get("TIDEMARK_POSTGRES_PASSWORD");
  }
}
