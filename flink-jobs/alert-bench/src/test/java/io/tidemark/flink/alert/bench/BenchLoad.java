package io.tidemark.flink.alert.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.contracts.control.v1.AlertComparison;
import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.contracts.control.v1.AlertSignal;
import io.tidemark.contracts.control.v1.LabelMatcher;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.rows.RowBundle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ObjDoubleConsumer;

/**
 * The same rules and samples for both sides: gauges of a hundred metrics, one sample a minute and
 * series, values that are whole and stay. Few rules fire.
 *
 * @param shape what rules look at
 * @param rules how many, spread evenly over the metrics
 * @param series how many in all
 */
record BenchLoad(Shape shape, int rules, int series) {

  /** What a rule looks at. */
  enum Shape {
    /** All series of a metric, added up by one label. */
    GROUPED,
    /** A tenth of the series of a metric, each by itself. */
    PER_SERIES
  }

  private static final int METRICS = 100;
  private static final int QUEUES = 10;
  private static final int ROWS_PER_RECORD = 500;
  private static final int MAX_VALUE = 100;

  /** A prime, so that values of neighbours differ. */
  private static final int STEP = 37;

  private int perMetric() {
    return series / METRICS;
  }

  /** Series that rules look at in one round, counted once for each rule. */
  long evaluations() {
    long perRule = shape == Shape.GROUPED ? perMetric() : perMetric() / QUEUES;
    return rules * perRule;
  }

  private static String metric(int number) {
    return "bench_" + number % METRICS;
  }

  private static String queue(int number) {
    return "q" + number % QUEUES;
  }

  private int value(int number) {
    return number * STEP % MAX_VALUE;
  }

  /** Few metrics have groups above it; rules of one metric differ. */
  private double threshold(int rule) {
    int scale = shape == Shape.GROUPED ? perMetric() / QUEUES : 1;
    return scale * (MAX_VALUE - 1) - (rule / METRICS) % 10;
  }

  ControlRecord control(int rule, long effectiveFrom) {
    AlertSignal.Builder signal =
        AlertSignal.newBuilder()
            .setKind("threshold")
            .setMetric(metric(rule))
            .setAggregation("sum")
            .setWindowMinutes(1);
    if (shape == Shape.GROUPED) {
      signal.addGroupBy("metric.queue");
    } else {
      signal
          .setPerSeries(true)
          .addMatchers(
              LabelMatcher.newBuilder()
                  .setLabel("metric.queue")
                  .setOperator("eq")
                  .setValue(queue(rule / METRICS)));
    }
    AlertRuleControl control =
        AlertRuleControl.newBuilder()
            .setOrganizationId("org-a")
            .setEnvironmentId("env-a")
            .setRuleId("rule-" + rule)
            .setVersion(1)
            .setForm(1)
            .setEffectiveFromUnixMs(effectiveFrom)
            .setSeverity("warning")
            .setNoDataAfterMinutes(5)
            .setSignal(signal)
            .setComparison(
                AlertComparison.newBuilder().setOperator("gt").setThreshold(threshold(rule)))
            .build();
    return new ControlRecord("org-a/env-a/rule-" + rule, control.toByteArray());
  }

  /** Records of one minute as the rollup job writes them. */
  List<RowBundle> rows(long minute) {
    List<RowBundle> records = new ArrayList<>();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < series; i++) {
      lines.append(
          """
          {"timestamp":%1$d,"organization_id":"org-a","environment_id":"env-a","metric":"%2$s",\
          "metric_type":"gauge","unit":"1","resource_type":"service","resource_id":"shop",\
          "series_id":"%3$032x","metric.queue":"%4$s","metric.host":"host-%5$d","sum":%6$d,\
          "count":1,"min":%6$d,"max":%6$d,"last":%6$d,"last_timestamp":%1$d,"pane_id":"x"}
          """
              .formatted(minute, metric(i), i, queue(i / METRICS), i / METRICS, value(i)));
      if (i % ROWS_PER_RECORD == ROWS_PER_RECORD - 1 || i == series - 1) {
        records.add(new RowBundle(lines.toString().getBytes(UTF_8), false, 0));
        lines.setLength(0);
      }
    }
    return records;
  }

  /** Rules of Prometheus in one file, in groups that are evaluated beside each other. */
  String prometheusRules(int groups) {
    StringBuilder text = new StringBuilder("groups:\n");
    for (int group = 0; group < groups; group++) {
      text.append("- name: bench-").append(group).append("\n  rules:\n");
      for (int rule = group; rule < rules; rule += groups) {
        String expression =
            shape == Shape.GROUPED
                ? "sum by (queue) (%s) > %s".formatted(metric(rule), threshold(rule))
                : "%s{queue=\"%s\"} > %s"
                    .formatted(metric(rule), queue(rule / METRICS), threshold(rule));
        text.append("  - alert: rule-%d\n    expr: %s\n".formatted(rule, expression));
      }
    }
    return text.toString();
  }

  /** All samples: metric, queue and host, and the value. */
  void samples(ObjDoubleConsumer<String[]> each) {
    for (int i = 0; i < series; i++) {
      each.accept(new String[] {metric(i), queue(i / METRICS), "host-" + i / METRICS}, value(i));
    }
  }

  String named() {
    return "%s, %,d rules, %,d series"
        .formatted(shape.name().toLowerCase(Locale.ROOT).replace('_', ' '), rules, series);
  }
}
