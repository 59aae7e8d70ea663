package io.tidemark.provision;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command of {@code lake-tables.jar}, which the lake job ships, in a JVM of its own. */
final class LakeProgram {
  /** Of one that ends soon: what the second compiler would cost never comes back. */
  static final List<String> SHORT = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1");

  private LakeProgram() {}

  /**
   * Prepares a command, which reaches the lake as {@code addresses} say.
   *
   * @param command simple name of its class
   * @param options of its JVM
   * @param more arguments after those of the lake
   */
  static ProcessBuilder command(
      Addresses addresses, String command, List<String> options, List<String> more) {
    Path jar = addresses.root().resolve("flink-jobs/lake-job/target/lake-tables.jar");
    if (!Files.exists(jar)) {
      throw ProvisionFailure.input(
          "There is no "
              + jar
              + ", which reaches the lake. Run `make build`, or use an image of `make images`.");
    }
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(options);
    line.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-cp",
            jar.toString(),
            "io.tidemark.flink.lake." + command,
            "--catalog.uri",
            addresses.catalogUrl(),
            "--catalog.user",
            addresses.catalogUser(),
            "--warehouse",
            addresses.warehouse()));
    line.addAll(more);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().putAll(addresses.objectStore());
    builder.environment().put("TIDEMARK_CATALOG_PASSWORD", addresses.catalogPassword());
    return builder;
  }

  /**
   * Runs a command to its end.
   *
   * @param failed what is told before its output when it does not end with 0
   * @return the lines that it wrote
   * @throws ProvisionFailure when it does not end with 0
   */
  static List<String> run(ProcessBuilder command, String failed)
      throws IOException, InterruptedException {
    Process process = command.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw ProvisionFailure.engine(failed + "\n" + output);
    }
    return output.lines().toList();
  }
}
