package io.tidemark.pipeline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Tells each figure when it is known, as a row of the table in {@code docs/benchmarks}. */
final class BenchReport {
  private Instant begin = Instant.now();

  BenchReport() {
    tell("| goal | measured | result | must | n |");
    tell("|---|---|---|---|---|");
  }

  /** One figure. */
  void row(String goal, String measured, String result, String must, String size) {
    tell("| " + String.join(" | ", goal, measured, result, must, size) + " |");
  }

  /** What has to be known of the next figure. */
  void note(String text) {
    tell(text);
  }

  /** A row without a figure. */
  void failed(String row, Throwable failure) {
    tell(row + " failed: " + failure);
    failure.printStackTrace(System.out);
  }

  /** How long a row of the speed table took, and what else the machine did. */
  void took(String row) throws IOException {
    String load = Files.readString(Path.of("/proc/loadavg")).split(" ")[0];
    tell(
        String.format(
            Locale.ROOT,
            "%s took %d s, load average %s",
            row,
            Duration.between(begin, Instant.now()).toSeconds(),
            load));
    begin = Instant.now();
  }

  private static void tell(String text) {
    System.out.println("BENCH " + text);
  }
}
