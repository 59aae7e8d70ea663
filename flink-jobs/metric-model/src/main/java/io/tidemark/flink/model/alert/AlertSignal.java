package io.tidemark.flink.model.alert;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The number that a rule looks at, once a minute and group.
 *
 * @param metric name as sent
 * @param matchers a row counts when all of them fit
 * @param perSeries each series is a group of its own
 * @param groupBy labels whose values make a group, sorted; none and not perSeries: one group
 * @param windowMinutes minutes that the number is made of, the decided one being the last
 * @param offsetMinutes change: how many minutes before
 * @param percent change: the difference as a percentage of what was
 * @param denominatorMetric ratio: empty for other kinds
 * @param quantile quantile: between 0 and 1
 * @param days anomaly: days before that are compared
 * @param limit forecast: the value that is looked out for
 */
public record AlertSignal(
    SignalKind kind,
    String metric,
    Aggregation aggregation,
    List<LabelMatcher> matchers,
    boolean perSeries,
    List<String> groupBy,
    int windowMinutes,
    int offsetMinutes,
    boolean percent,
    String denominatorMetric,
    Aggregation denominatorAggregation,
    double quantile,
    int days,
    double limit) {

  private static final int MINUTES_PER_DAY = 1_440;
  private static final int MIN_DAYS = 2;
  private static final int MAX_DAYS = 14;
  private static final int MIN_FORECAST = 3;

  public AlertSignal {
    matchers = List.copyOf(matchers);
    groupBy = List.copyOf(groupBy);
  }

  /** A signal of one metric without anything of other kinds. */
  public static AlertSignal of(SignalKind kind, String metric, Aggregation aggregation) {
    return new AlertSignal(
        kind,
        metric,
        aggregation,
        List.of(),
        false,
        List.of(),
        1,
        0,
        false,
        "",
        Aggregation.SUM,
        0,
        0,
        0);
  }

  /** Whether the rule always has the same one group. */
  public boolean isOneGroup() {
    return !perSeries && groupBy.isEmpty();
  }

  /** Minutes before the decided one whose rows are needed. */
  long lookbackMinutes() {
    return switch (kind) {
      case CHANGE -> (long) windowMinutes - 1 + offsetMinutes;
      case ANOMALY -> (long) days * MINUTES_PER_DAY + windowMinutes;
      case THRESHOLD, ABSENCE, RATIO, QUANTILE, FORECAST -> windowMinutes - 1L;
    };
  }

  /**
   * Minutes whose totals are kept each by itself; older ones of an anomaly are kept by the hour.
   */
  public long minutesKept() {
    return kind == SignalKind.ANOMALY ? windowMinutes : lookbackMinutes() + 1;
  }

  /** Equal for signals that look at the same number of the same groups. */
  public String identity() {
    return Digest.hex(
        kind.name(),
        metric,
        aggregation.name(),
        matchers.toString(),
        Boolean.toString(perSeries),
        String.join("\u0000", groupBy),
        Integer.toString(windowMinutes),
        Integer.toString(offsetMinutes),
        Boolean.toString(percent),
        denominatorMetric,
        denominatorAggregation.name(),
        Double.toString(quantile),
        Integer.toString(days),
        Double.toString(limit));
  }

  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (metric.isEmpty()) {
      faults.add("metric is empty.");
    }
    if (perSeries && !groupBy.isEmpty()) {
      faults.add("per_series and group_by exclude each other.");
    }
    AlertRule.check("window_minutes", windowMinutes, 1, faults);
    String ofKind = faultOfKind();
    if (ofKind != null) {
      faults.add(ofKind);
    }
    return faults;
  }

  private @Nullable String faultOfKind() {
    return switch (kind) {
      case CHANGE ->
          offsetMinutes < 1 || offsetMinutes > AlertRule.MAX_MINUTES
              ? "offset_minutes is not 1 to " + AlertRule.MAX_MINUTES + "."
              : null;
      case RATIO ->
          denominatorMetric.isEmpty() ? "denominator_metric is empty." : perSeriesOfRatio();
      case QUANTILE -> quantile > 0 && quantile < 1 ? null : "quantile is not between 0 and 1.";
      case ANOMALY ->
          days < MIN_DAYS || days > MAX_DAYS
              ? "days is not " + MIN_DAYS + " to " + MAX_DAYS + "."
              : null;
      case FORECAST ->
          !Double.isFinite(limit) || windowMinutes < MIN_FORECAST
              ? "limit is not finite, or window_minutes less than " + MIN_FORECAST + "."
              : null;
      case THRESHOLD, ABSENCE -> null;
    };
  }

  private @Nullable String perSeriesOfRatio() {
    return perSeries ? "per_series: series of two metrics are never the same; group_by is." : null;
  }
}
