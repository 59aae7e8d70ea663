package io.tidemark.flink.alert.truth;

import static io.tidemark.flink.alert.TestAlerts.minute;

import io.tidemark.contracts.control.v1.AlertComparison;
import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.contracts.control.v1.AlertSignal;
import io.tidemark.contracts.control.v1.LabelMatcher;
import java.util.List;
import java.util.Random;

/**
 * A rule of the proof. Its second version, if it has one, differs in thresholds and counts only.
 *
 * @param grouping labels that make groups; null: each series
 * @param matched the only queue whose rows count; empty for all
 * @param second effective from this minute with the thresholds moved; 0 without one
 */
record GeneratedRule(
    String id,
    String kind,
    String metric,
    String aggregation,
    List<String> grouping,
    String matched,
    int window,
    int offset,
    String below,
    boolean percent,
    double quantile,
    int days,
    double limit,
    String operator,
    double threshold,
    double recovery,
    int holds,
    int recovers,
    int noData,
    int second) {

  static final String[] METRICS = {"depth", "errors", "requests", "load"};
  static final String HISTOGRAM = "latency";

  private static final String[] KINDS = {
    "threshold",
    "threshold",
    "threshold",
    "change",
    "absence",
    "ratio",
    "quantile",
    "anomaly",
    "forecast"
  };
  private static final String[] AGGREGATIONS = {
    "sum", "count", "min", "max", "avg", "last", "rate"
  };

  /** Moves a threshold for the second version. */
  private static final double MOVED = 0.9;

  static GeneratedRule random(int number, Random random) {
    String kind = KINDS[random.nextInt(KINDS.length)];
    String aggregation =
        kind.equals("anomaly") || kind.equals("ratio")
            ? random.nextBoolean() ? "sum" : "avg"
            : AGGREGATIONS[random.nextInt(AGGREGATIONS.length)];
    int shape = random.nextInt(4);
    List<String> grouping =
        switch (shape) {
          case 0 -> List.of();
          case 1 -> List.of("metric.queue");
          case 2 -> List.of("metric.queue", "metric.zone");
          default -> kind.equals("ratio") ? List.of("metric.zone") : null;
        };
    int window =
        kind.equals("forecast") ? 3 + random.nextInt(6) : 1 + random.nextInt(random.nextInt(6) + 1);
    boolean isUpper = kind.equals("absence") || random.nextInt(3) > 0;
    double threshold = threshold(kind, aggregation, grouping, window, isUpper, random);
    double distance = random.nextBoolean() ? 0 : Math.abs(threshold) * 0.2;
    return new GeneratedRule(
        "rule-" + number,
        kind,
        kind.equals("quantile")
            ? HISTOGRAM
            : kind.equals("anomaly") ? "load" : METRICS[random.nextInt(METRICS.length)],
        aggregation,
        grouping,
        random.nextInt(5) == 0 ? "q" + random.nextInt(4) : "",
        window,
        kind.equals("change") ? 1 + random.nextInt(15) : 0,
        kind.equals("ratio") ? "requests" : "",
        kind.equals("change") && random.nextBoolean(),
        kind.equals("quantile") ? 0.5 + 0.09 * random.nextInt(5) : 0,
        kind.equals("anomaly") ? 2 + random.nextInt(2) : 0,
        kind.equals("forecast") ? 300 : 0,
        (isUpper ? "gt" : "lt") + (random.nextBoolean() ? "e" : ""),
        threshold,
        isUpper ? threshold - distance : threshold + distance,
        random.nextInt(4),
        random.nextInt(4),
        2 + random.nextInt(6),
        random.nextInt(10) == 0 ? 60 : 0);
  }

  /** Never a value that can be met exactly, so that rounding decides nothing. */
  private static double threshold(
      String kind,
      String aggregation,
      List<String> grouping,
      int window,
      boolean isUpper,
      Random random) {
    double spread = 0.3 + random.nextDouble();
    return switch (kind) {
      case "absence" -> 1 + random.nextInt(4) + 0.31;
      case "change" -> (isUpper ? 40 : -40) * spread + 0.317;
      case "ratio" -> 0.5 + spread;
      case "quantile" -> 90 * spread;
      case "anomaly" -> (isUpper ? 3 : -3) * spread;
      case "forecast" -> 20 * spread + 0.317;
      default -> {
        int series = grouping == null || grouping.size() == 2 ? 1 : grouping.isEmpty() ? 8 : 3;
        double usual =
            switch (aggregation) {
              case "sum" -> 60.0 * window * series;
              case "count" -> 1.1 * window * series;
              case "rate" -> series;
              default -> 60;
            };
        yield usual * (isUpper ? 0.7 + spread : spread) + 0.317;
      }
    };
  }

  boolean isUpper() {
    return operator.startsWith("g");
  }

  double thresholdAt(int minute) {
    return second > 0 && minute >= second ? threshold * MOVED : threshold;
  }

  double recoveryAt(int minute) {
    double moved = second > 0 && minute >= second ? recovery * MOVED : recovery;
    return moved;
  }

  AlertRuleControl.Builder record(int version) {
    int from = version == 1 ? 0 : second;
    AlertSignal.Builder signal =
        AlertSignal.newBuilder()
            .setKind(kind)
            .setMetric(metric)
            .setAggregation(aggregation)
            .setPerSeries(grouping == null)
            .setWindowMinutes(window)
            .setOffsetMinutes(offset)
            .setPercent(percent)
            .setDenominatorMetric(below)
            .setDenominatorAggregation(below.isEmpty() ? "" : "sum")
            .setQuantile(quantile)
            .setDays(days)
            .setLimit(limit);
    if (grouping != null) {
      signal.addAllGroupBy(grouping);
    }
    if (!matched.isEmpty()) {
      signal.addMatchers(
          LabelMatcher.newBuilder()
              .setLabel("metric.queue")
              .setOperator("regex")
              .setValue("(" + matched + ")"));
    }
    return AlertRuleControl.newBuilder()
        .setOrganizationId("org-a")
        .setEnvironmentId("env-a")
        .setRuleId(id)
        .setVersion(version)
        .setForm(1)
        .setEffectiveFromUnixMs(minute(from))
        .setSeverity("critical")
        .setForMinutes(holds)
        .setRecoverAfterMinutes(recovers)
        .setNoDataAfterMinutes(noData)
        .setSignal(signal)
        .setComparison(
            AlertComparison.newBuilder()
                .setOperator(operator)
                .setThreshold(thresholdAt(from))
                .setRecoveryThreshold(recoveryAt(from)));
  }

  /** Labels of the group that a row belongs to; null when it does not count. */
  String group(GeneratedRow row) {
    if (!matched.isEmpty() && !matched.equals(row.queue())) {
      return null;
    }
    StringBuilder group = new StringBuilder();
    List<String> labels = grouping == null ? List.of("metric.queue", "metric.zone") : grouping;
    for (String label : labels) {
      group
          .append(label)
          .append('=')
          .append(label.equals("metric.queue") ? row.queue() : row.zone())
          .append(' ');
    }
    return group.toString();
  }
}
