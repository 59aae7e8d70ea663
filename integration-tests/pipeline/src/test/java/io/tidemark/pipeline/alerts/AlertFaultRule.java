package io.tidemark.pipeline.alerts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.stack.JsonHttp;
import java.util.List;
import java.util.Random;

/**
 * A generated alert rule of {@link AlertFaults}, as the control API takes it. Minutes are numbers:
 * minutes since the Unix epoch.
 *
 * @param aggregation empty for kinds that have none
 * @param grouping labels that make groups; null: each series
 * @param queue the only queue whose rows count; empty for all
 * @param offset change: how many minutes before
 * @param below ratio: the metric below the line, summed; else empty
 * @param threshold never a value that can be met exactly, so that rounding decides nothing
 * @param holds minutes in a row until it fires
 * @param recovers minutes in a row until it is over
 */
record AlertFaultRule(
    int number,
    String kind,
    String metric,
    String aggregation,
    List<String> grouping,
    String queue,
    int window,
    int offset,
    boolean percent,
    String below,
    double quantile,
    String operator,
    double threshold,
    double recovery,
    int holds,
    int recovers,
    int noData,
    boolean early) {

  /** Rows of one series a minute are two points. */
  private static final double POINTS = 2;

  private static final String QUEUE = "metric.queue";
  private static final String ZONE = "metric.zone";
  private static final String[] KINDS = {
    "threshold", "threshold", "threshold", "threshold", "change", "absence", "ratio", "quantile"
  };

  /** Later than any run is long. */
  private static final int NEVER_NO_DATA = 120;

  /** The comparison from a minute on. */
  record Comparison(long from, double threshold, double recovery) {}

  static AlertFaultRule random(int number, Random random) {
    String kind = KINDS[random.nextInt(KINDS.length)];
    String metric =
        switch (kind) {
          case "quantile" -> AlertStream.LATENCY;
          case "ratio" -> AlertStream.ERRORS;
          default ->
              List.of(AlertStream.LEVEL, AlertStream.REQUESTS, AlertStream.ERRORS)
                  .get(random.nextInt(3));
        };
    String aggregation = aggregation(kind, metric, random);
    int shape = random.nextInt(4);
    List<String> grouping =
        switch (shape) {
          case 0 -> List.of();
          case 1 -> List.of(QUEUE);
          case 2 -> List.of(QUEUE, ZONE);
          default -> kind.equals("ratio") ? List.of(ZONE) : null;
        };
    int window = kind.equals("absence") ? 1 : 1 + random.nextInt(random.nextInt(3) + 1);
    boolean isUpper = kind.equals("absence") || random.nextInt(3) > 0;
    boolean isPercent = kind.equals("change") && random.nextBoolean();
    int series = grouping == null || grouping.size() == 2 ? 1 : grouping.isEmpty() ? 8 : 3;
    double threshold =
        threshold(kind, metric, aggregation, series * window, series, isUpper, random);
    double distance = kind.equals("absence") || random.nextBoolean() ? 0 : Math.abs(threshold) / 5;
    int recovers = random.nextInt(3);
    int noData = 2 + random.nextInt(3);
    return new AlertFaultRule(
        number,
        kind,
        metric,
        aggregation,
        grouping,
        random.nextInt(5) == 0 ? "q" + random.nextInt(AlertStream.QUEUES) : "",
        window,
        kind.equals("change") ? 1 + random.nextInt(3) : 0,
        isPercent,
        kind.equals("ratio") ? AlertStream.REQUESTS : "",
        kind.equals("quantile") ? 0.5 + 0.25 * random.nextInt(2) : 0,
        (isUpper ? "gt" : "lt") + (random.nextBoolean() ? "e" : ""),
        threshold,
        isUpper ? threshold - distance : threshold + distance,
        random.nextInt(3),
        recovers,
        // What becomes of minutes in a row when there are no data for long is said of firing only.
        recovers > 1 ? NEVER_NO_DATA : noData,
        isUpper && !kind.equals("absence") && random.nextInt(6) == 0);
  }

  private static String aggregation(String kind, String metric, Random random) {
    if (kind.equals("absence") || kind.equals("quantile")) {
      return "";
    }
    if (kind.equals("ratio")) {
      return "sum";
    }
    List<String> all =
        metric.equals(AlertStream.LEVEL)
            ? List.of("min", "max", "avg", "last")
            : List.of("sum", "count", "rate");
    return all.get(random.nextInt(all.size()));
  }

  private static double threshold(
      String kind,
      String metric,
      String aggregation,
      int rows,
      int series,
      boolean isUpper,
      Random random) {
    double spread = 0.3 + random.nextDouble();
    return switch (kind) {
      case "absence" -> 0.31 + random.nextInt(2);
      case "change" -> (isUpper ? 40 : -40) * spread + 0.317;
      case "ratio" -> 0.1 + 0.3 * spread;
      case "quantile" -> 90 * spread;
      default -> {
        double each = metric.equals(AlertStream.ERRORS) ? 15 : 60;
        double usual =
            switch (aggregation) {
              case "sum" -> each * POINTS * rows;
              case "count" -> POINTS * rows;
              case "rate" -> each * POINTS * series / 60;
              default -> each;
            };
        yield usual * (isUpper ? 0.7 + spread : spread) + 0.0317;
      }
    };
  }

  boolean isPerSeries() {
    return grouping == null;
  }

  /** Whether a number is beyond a limit, as the operator says. */
  boolean isBeyond(double value, double limit) {
    return operator.startsWith("g") ? value > limit : value < limit;
  }

  /** The first comparison, of all minutes. */
  Comparison comparison() {
    return new Comparison(0, threshold, recovery);
  }

  /** The comparison with the thresholds moved. */
  Comparison moved(long from) {
    return new Comparison(from, 0.9 * threshold, 0.9 * recovery);
  }

  /** The group that a series belongs to; null when its rows do not count. */
  public String group(String ofQueue, String ofZone) {
    if (!queue.isEmpty() && !queue.equals(ofQueue)) {
      return null;
    }
    return group(grouping, ofQueue, ofZone);
  }

  /** Values of the labels that make the group. */
  private static String group(List<String> labels, String ofQueue, String ofZone) {
    boolean isByQueue = labels == null || labels.contains(QUEUE);
    boolean isByZone = labels == null || labels.contains(ZONE);
    return (isByQueue ? ofQueue : "") + "/" + (isByZone ? ofZone : "");
  }

  /** The body of a request that makes the rule. */
  ObjectNode draft(Comparison comparison, String summary) {
    ObjectNode draft = JsonHttp.JSON.createObjectNode();
    draft.put("name", "Faults " + number).put("severity", "warning");
    draft.putObject("annotations").put("summary", summary);
    draft.putObject("labels").put("suite", "faults");
    ObjectNode condition = draft.putObject("condition");
    condition
        .put("kind", kind)
        .put("metric", metric)
        .put("operator", operator)
        .put("threshold", comparison.threshold())
        .put("recovery_threshold", comparison.recovery())
        .put("window_minutes", window)
        .put("for_minutes", holds)
        .put("recover_after_minutes", recovers)
        .put("no_data_after_minutes", noData)
        .put("per_series", isPerSeries())
        .put("early", early);
    if (!aggregation.isEmpty()) {
      condition.put("aggregation", aggregation);
    }
    if (grouping != null) {
      grouping.forEach(condition.withArray("group_by")::add);
    }
    if (!queue.isEmpty()) {
      condition
          .withArray("matchers")
          .addObject()
          .put("label", QUEUE)
          .put("operator", "regex")
          .put("value", "(" + queue + "|none)");
    }
    if (offset > 0) {
      condition.put("offset_minutes", offset).put("percent", percent);
    }
    if (!below.isEmpty()) {
      condition.put("denominator_metric", below).put("denominator_aggregation", "sum");
    }
    if (quantile > 0) {
      condition.put("quantile", quantile);
    }
    return draft;
  }
}
