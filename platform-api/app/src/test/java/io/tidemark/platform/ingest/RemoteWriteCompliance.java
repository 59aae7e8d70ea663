package io.tidemark.platform.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.RunningPlatform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The public suite for receivers of remote write, against the running application. Its Go module is
 * fetched when this runs, which {@code make test-remote-write} does; it needs Go and the network.
 */
@ExtendWith(RunningPlatform.Extension.class)
class RemoteWriteCompliance {

  private static final String SUITE =
      "github.com/prometheus/compliance/remotewrite/receiver@v0.0.0-20260806071727-67b8327a2e93";

  /** Infinite values, series without a name, a histogram that contradicts itself, wrong bodies. */
  private static final Pattern EXPECTED_REFUSALS =
      Pattern.compile(
          "Refused data points: ((VALUE_NOT_FINITE|METRIC_NAME_MISSING|HISTOGRAM_INVALID) x[^;]*(; )?)+"
              + "|The body is not Snappy|Send Content-");

  private final RunningPlatform platform;

  RemoteWriteCompliance(RunningPlatform platform) {
    this.platform = platform;
  }

  @Test
  void everyCaseOfThePublicSuitePasses(@TempDir Path folder) throws Exception {
    run(folder, "go", "mod", "init", "fetch");
    String fetched = run(folder, "go", "mod", "download", "-json", SUITE);
    Path module = Path.of(fetched.replaceAll("(?s).*\"Dir\": \"([^\"]+)\".*", "$1"));
    Path suite = Files.createDirectory(folder.resolve("suite"));
    try (Stream<Path> files = Files.list(module)) {
      for (Path file : files.toList()) {
        Files.write(suite.resolve(file.getFileName()), Files.readAllBytes(file));
      }
    }
    Files.writeString(
        suite.resolve("config.yml"),
        """
        remote_write:
          - name: tidemark
            url: %s
            authorization:
              credentials: %s
        """
            .formatted(platform.otlp("/api/v1/write"), RunningPlatform.EXTRA_KEY));
    String report = run(suite, "go", "test", "-count=1", "-v", "./...");
    List<String> cases = report.lines().map(String::strip).toList();
    long passed = cases.stream().filter(line -> line.startsWith("--- PASS")).count();
    // Leaves and the groups they stand in; a suite that ran nothing must not look like a pass.
    assertThat(passed).as(report).isGreaterThan(200);
    assertThat(cases).noneMatch(line -> line.startsWith("--- FAIL") || line.startsWith("--- SKIP"));
    // The suite lets a receiver refuse what it cannot keep: nothing but these may be refused.
    assertThat(cases.stream().filter(line -> line.contains("Response body from")))
        .isNotEmpty()
        .allMatch(line -> EXPECTED_REFUSALS.matcher(line).find());
    System.out.println("Remote write compliance: " + passed + " passed, 0 failed");
    platform.topic().reset();
  }

  private static String run(Path folder, String... command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int code = process.waitFor();
    String text = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(code).as("%s: %s", String.join(" ", command), text).isZero();
    return text;
  }
}
