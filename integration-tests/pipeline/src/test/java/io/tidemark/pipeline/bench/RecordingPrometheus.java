package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.PointFleet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * Prometheus with recording rules over what it takes by OTLP: a group for each metric, a rule for
 * each figure. A group asks for the interval that ended one interval ago, so that points still on
 * their way count; what comes later counts in no rule.
 */
final class RecordingPrometheus implements MeasuredPeer {
  private static final List<String> FIGURES = List.of("sum", "count", "min", "max", "last");

  private final PeerProcess process;

  /**
   * Starts it.
   *
   * @param interval of the rules, in seconds
   * @param metrics that the rules are about
   */
  RecordingPrometheus(Path binary, Path home, int interval, Collection<String> metrics)
      throws Exception {
    this.process =
        new PeerProcess(
            home,
            "/-/ready",
            port -> {
              Files.writeString(home.resolve("rules.yaml"), rules(interval, metrics));
              Files.writeString(
                  home.resolve("prometheus.yaml"),
                  """
                  global: {evaluation_interval: %ds}
                  rule_files: [rules.yaml]
                  otlp: {translation_strategy: NoTranslation, promote_all_resource_attributes: true}
                  storage: {tsdb: {out_of_order_time_window: 4h}}
                  """
                      .formatted(interval));
              return List.of(
                  binary.toString(),
                  "--config.file=" + home.resolve("prometheus.yaml"),
                  "--storage.tsdb.path=" + home.resolve("data"),
                  "--web.listen-address=127.0.0.1:" + port,
                  "--web.enable-otlp-receiver",
                  // Points of delta sums stay as they are; the alternative adds them up for good.
                  "--enable-feature=otlp-native-delta-ingestion",
                  // One query of the check reads all points of a metric.
                  "--query.max-samples=2000000000",
                  "--log.level=warn");
            });
  }

  static String rules(int interval, Collection<String> metrics) {
    StringBuilder text = new StringBuilder("groups:\n");
    for (String metric : metrics) {
      text.append(
          "  - name: \"%s\"%n    interval: %ds%n    query_offset: %ds%n    rules:%n"
              .formatted(metric, interval, interval));
      for (String figure : FIGURES) {
        text.append(
            "      - {record: \"%s\", expr: '%s_over_time({\"%s\"}[%ds])'}%n"
                .formatted(output(metric, figure), figure, metric, interval));
      }
    }
    return text.toString();
  }

  private static String output(String metric, String figure) {
    return metric + ":interval_" + figure;
  }

  @Override
  public String name() {
    return "Prometheus";
  }

  @Override
  public String otlp() {
    return process.url() + "/api/v1/otlp";
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public void flush() {
    // What it took can be asked for at once.
  }

  @Override
  public PointFleet.Total raw(String metric) throws IOException, InterruptedException {
    return new PointFleet.Total(
        Math.round(process.added("count", metric)), process.added("sum", metric));
  }

  @Override
  public PointFleet.Total rolledUp(String metric) throws IOException, InterruptedException {
    return new PointFleet.Total(
        Math.round(process.added("sum", output(metric, "count"))),
        process.added("sum", output(metric, "sum")));
  }

  @Override
  public long intervals(String metric) throws IOException, InterruptedException {
    return Math.round(process.added("count", output(metric, "sum")));
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}
