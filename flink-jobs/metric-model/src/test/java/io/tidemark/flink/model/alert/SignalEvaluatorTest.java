package io.tidemark.flink.model.alert;

import static io.tidemark.flink.model.alert.TestRules.MINUTE;
import static io.tidemark.flink.model.alert.TestRules.minute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.distribution.BucketGrid;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The numbers of signals that need more than one minute, or more than a sum. */
class SignalEvaluatorTest {

  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private final TestingAlertStore store = new TestingAlertStore();

  private static AlertSignal signal(
      SignalKind kind,
      Aggregation aggregation,
      int window,
      double quantile,
      int days,
      double limit) {
    return new AlertSignal(
        kind,
        "load",
        aggregation,
        List.of(),
        false,
        List.of(),
        window,
        0,
        false,
        "",
        Aggregation.SUM,
        quantile,
        days,
        limit);
  }

  private double value(AlertSignal signal, long at) {
    return SignalEvaluator.value(signal, store, at, Double.NaN);
  }

  private static MinuteTotals distribution(Map<Double, Long> values) {
    TreeMap<Integer, Long> counts = new TreeMap<>();
    values.forEach((value, count) -> counts.merge(BucketGrid.bucketOf(value), count, Long::sum));
    return new MinuteTotals(
        0,
        counts.values().stream().mapToLong(Long::longValue).sum(),
        Double.NaN,
        Double.NaN,
        Double.NaN,
        0,
        counts.keySet().stream().mapToInt(Integer::intValue).toArray(),
        counts.values().stream().mapToLong(Long::longValue).toArray());
  }

  @Test
  void aQuantileIsTheUpperBoundOfItsBucketOverTheWholeWindow() {
    SignalHistory history =
        (side, start) ->
            start == minute(0)
                ? distribution(Map.of(10.0, 90L))
                : start == minute(1) ? distribution(Map.of(200.0, 10L)) : null;

    AlertSignal median = signal(SignalKind.QUANTILE, Aggregation.SUM, 2, 0.5, 0, 0);
    AlertSignal tail = signal(SignalKind.QUANTILE, Aggregation.SUM, 2, 0.95, 0, 0);
    assertBucketOf(10, SignalEvaluator.value(median, history, minute(1), Double.NaN));
    assertBucketOf(200, SignalEvaluator.value(tail, history, minute(1), Double.NaN));
    AlertSignal oneMinute = signal(SignalKind.QUANTILE, Aggregation.SUM, 1, 0.5, 0, 0);
    assertBucketOf(200, SignalEvaluator.value(oneMinute, history, minute(1), Double.NaN));
    assertTrue(Double.isNaN(SignalEvaluator.value(oneMinute, history, minute(9), Double.NaN)));
  }

  private static void assertBucketOf(double observed, double quantile) {
    assertTrue(quantile >= observed, quantile + " is below " + observed);
    assertTrue(quantile <= observed * 1.1, quantile + " is not near " + observed);
  }

  @Test
  void anAnomalyIsTheDistanceFromTheSameHourOfDaysBefore() {
    AlertSignal signal = signal(SignalKind.ANOMALY, Aggregation.SUM, 1, 0, 5, 0);
    long now = minute(30);
    long hour = Math.floorDiv(now, HOUR) * HOUR;
    // 100, 110, 120, 130 and 140 a minute on the days before: the median is 120, the deviation 10.
    for (int day = 1; day <= 5; day++) {
      store.add(SignalHistory.HOURS, hour - day * DAY, 60 * (90 + 10 * day));
    }
    store.add(SignalHistory.NUMERATOR, now, 120);
    store.add(SignalHistory.NUMERATOR, now + MINUTE, 120 + 1.4826 * 10 * 3);

    assertEquals(0, value(signal, now), 1e-9);
    assertEquals(3, value(signal, now + MINUTE), 1e-9);
  }

  @Test
  void oneOutlierOfTheDaysBeforeHidesNoAnomaly() {
    AlertSignal signal = signal(SignalKind.ANOMALY, Aggregation.SUM, 1, 0, 5, 0);
    long now = minute(30);
    long hour = Math.floorDiv(now, HOUR) * HOUR;
    double[] days = {100, 101, 99, 100, 100_000};
    for (int day = 1; day <= 5; day++) {
      store.add(SignalHistory.HOURS, hour - day * DAY, 60 * days[day - 1]);
    }
    store.add(SignalHistory.NUMERATOR, now, 150);

    assertTrue(value(signal, now) > 20, "of the deviation " + value(signal, now));
  }

  @Test
  void anAnomalyNeedsTwoDaysToCompareWith() {
    AlertSignal signal = signal(SignalKind.ANOMALY, Aggregation.SUM, 1, 0, 5, 0);
    long now = minute(30);
    long hour = Math.floorDiv(now, HOUR) * HOUR;
    store.add(SignalHistory.NUMERATOR, now, 150);
    store.add(SignalHistory.HOURS, hour - DAY, 6_000);

    assertTrue(Double.isNaN(value(signal, now)), "one day is no median");
    store.add(SignalHistory.HOURS, hour - 3 * DAY, 6_000);
    assertEquals(50 / (0.001 * 100), value(signal, now), 1e-6);
  }

  @Test
  void aForecastSaysWhenTheLineReachesTheLimit() {
    AlertSignal signal = signal(SignalKind.FORECAST, Aggregation.SUM, 5, 0, 0, 100);
    for (int i = 0; i < 5; i++) {
      store.add(SignalHistory.NUMERATOR, minute(i), 50 + 5 * i);
      store.add(SignalHistory.NUMERATOR, minute(10 + i), 50 - 5 * i);
    }

    assertEquals(6, value(signal, minute(4)), 1e-9);
    assertEquals(
        Double.POSITIVE_INFINITY, value(signal, minute(14)), "it goes away from the limit");
  }
}
