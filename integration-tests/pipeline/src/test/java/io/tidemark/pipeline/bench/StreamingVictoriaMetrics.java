package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.PointFleet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * VictoriaMetrics, one node, that aggregates each series while it takes it ({@code
 * -streamAggr.config}) and keeps the points, too. Intervals are those of its clock: a point counts
 * where it arrives.
 */
final class StreamingVictoriaMetrics implements MeasuredPeer {
  private final PeerProcess process;
  private final int interval;

  /**
   * Starts it.
   *
   * @param interval in seconds
   */
  StreamingVictoriaMetrics(Path binary, Path home, int interval) throws Exception {
    this.interval = interval;
    this.process =
        new PeerProcess(
            home,
            "/health",
            port -> {
              Path rules = home.resolve("aggregation.yaml");
              Files.writeString(rules, rules(interval));
              return List.of(
                  binary.toString(),
                  "-storageDataPath=" + home.resolve("data"),
                  "-httpListenAddr=127.0.0.1:" + port,
                  "-retentionPeriod=1d",
                  "-streamAggr.config=" + rules,
                  "-streamAggr.keepInput",
                  // Of its answers only: by default what is younger than 30 s is not in them.
                  "-search.latencyOffset=0s",
                  // One query of the check reads all points of a metric.
                  "-search.maxSamplesPerQuery=4000000000",
                  "-search.maxUniqueTimeseries=10000000");
            });
  }

  /** Without {@code by} and {@code without} each series is one of its own. */
  static String rules(int interval) {
    return "- interval: %ds%n  outputs: [sum_samples, count_samples, min, max, last]%n"
        .formatted(interval);
  }

  @Override
  public String name() {
    return "VictoriaMetrics";
  }

  @Override
  public String otlp() {
    return process.url() + "/opentelemetry";
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public void flush() throws Exception {
    process.get("/internal/force_flush");
  }

  @Override
  public PointFleet.Total raw(String metric) throws IOException, InterruptedException {
    return new PointFleet.Total(
        Math.round(process.added("count", metric)), process.added("sum", metric));
  }

  @Override
  public PointFleet.Total rolledUp(String metric) throws IOException, InterruptedException {
    return new PointFleet.Total(
        Math.round(process.added("sum", output(metric, "count_samples"))),
        process.added("sum", output(metric, "sum_samples")));
  }

  @Override
  public long intervals(String metric) throws IOException, InterruptedException {
    return Math.round(process.added("count", output(metric, "sum_samples")));
  }

  private String output(String metric, String output) {
    return "%s:%ds_%s".formatted(metric, interval, output);
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}
