package io.tidemark.pipeline.clients;

import io.tidemark.pipeline.support.Sender;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The OpenTelemetry Collector's generator, a process for each time, by OTLP/gRPC. */
final class TelemetrygenSender implements Sender {
  private static final String METRIC = "first_day.telemetrygen";
  private static final int METRICS = 20;

  private final Path binary;
  private final String endpoint;
  private final String key;
  private Total sent = new Total(0, 0);

  TelemetrygenSender(Path binary, String endpoint, String key) {
    this.binary = binary;
    this.endpoint = endpoint;
    this.key = key;
  }

  @Override
  public Map<String, Boolean> send() throws IOException, InterruptedException {
    File told = Files.createTempFile("telemetrygen", ".txt").toFile();
    Process process =
        new ProcessBuilder(
                binary.toString(),
                "metrics",
                "--otlp-endpoint=" + endpoint,
                "--otlp-insecure",
                "--otlp-header=authorization=\"Bearer " + key + "\"",
                "--otlp-metric-name=" + METRIC,
                "--metric-type=Gauge",
                "--metrics=" + METRICS,
                "--workers=1",
                "--rate=0")
            .redirectErrorStream(true)
            .redirectOutput(told)
            .start();
    boolean isOver = process.waitFor(60, TimeUnit.SECONDS);
    process.destroy();
    String text = Files.readString(told.toPath());
    Files.delete(told.toPath());
    boolean isRefused = text.contains("Unauthenticated");
    if (!isOver || !isRefused && process.exitValue() != 0) {
      throw new IOException("telemetrygen: " + text);
    }
    if (!isRefused) {
      // Each process counts from 0.
      sent = sent.and(METRICS * (METRICS - 1) / 2.0, METRICS);
    }
    return Map.of("telemetrygen", !isRefused);
  }

  @Override
  public Map<String, Total> sent() {
    return Map.of(METRIC, sent);
  }
}
