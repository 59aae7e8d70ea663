package io.tidemark.platform.alerting.backtest;

import io.tidemark.flink.model.alert.Aggregation;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalKind;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.AggregationFunction;

/** Stored figures as the totals that the evaluator adds up. */
final class StoredTotals {

  private static final int[] NO_BUCKETS = {};
  private static final long[] NO_COUNTS = {};

  private StoredTotals() {}

  /** What has to be read of rows; sums always with counts, since a sum of 0 may be a value. */
  static AggregationFunction read(SignalKind kind, Aggregation aggregation) {
    if (kind == SignalKind.QUANTILE) {
      return AggregationFunction.P50;
    }
    if (kind == SignalKind.ABSENCE) {
      return AggregationFunction.AVG;
    }
    return switch (aggregation) {
      case SUM, AVG, RATE -> AggregationFunction.AVG;
      case COUNT -> AggregationFunction.COUNT;
      case MIN -> AggregationFunction.MIN;
      case MAX -> AggregationFunction.MAX;
      case LAST -> AggregationFunction.LAST;
    };
  }

  /**
   * @param start of the minute or hour, ms; of two last values the later minute's counts
   */
  static MinuteTotals of(AggregateState figures, AggregationFunction read, long start) {
    boolean hasCount = read == AggregationFunction.AVG || read == AggregationFunction.COUNT;
    boolean hasValue =
        !Double.isNaN(figures.min) || !Double.isNaN(figures.max) || !Double.isNaN(figures.last);
    return new MinuteTotals(
        Double.isNaN(figures.sum) ? 0 : figures.sum,
        hasCount ? figures.count : hasValue ? 1 : 0,
        figures.min,
        figures.max,
        figures.last,
        start,
        figures.distribution == null ? NO_BUCKETS : figures.distribution.buckets(),
        figures.distribution == null ? NO_COUNTS : figures.distribution.counts());
  }
}
