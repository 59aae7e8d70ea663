package io.tidemark.platform.promql.application;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.promql.application.PrometheusNameIndex.IndexedName;
import io.tidemark.platform.promql.application.PrometheusNameIndex.Meaning;
import io.tidemark.platform.promql.domain.Expression.Aggregate;
import io.tidemark.platform.promql.domain.Expression.Aggregator;
import io.tidemark.platform.promql.domain.LabelMatcher;
import io.tidemark.platform.promql.domain.PromQlFault;
import io.tidemark.platform.promql.domain.StepTimes;
import io.tidemark.platform.promql.domain.WindowValue;
import io.tidemark.platform.query.domain.Aggregation.Computation;
import java.util.Optional;

/**
 * What is asked of the store for a window: the stored figure, and an aggregation that it can do.
 */
final class WindowComputation {

  private WindowComputation() {}

  /** Which stored figure makes the value of a window. */
  static AggregationFunction figure(SelectedMetric found) {
    IndexedName known = found.known();
    WindowValue value = found.window().value();
    if (known.meaning() == Meaning.DISTRIBUTION) {
      throw PromQlFault.unsupported(
          "the histogram "
              + known.name()
              + " as a value; take histogram_quantile(φ, rate(…)), "
              + known.name()
              + "_count or "
              + known.name()
              + "_sum");
    }
    boolean isLevel = found.isLevel();
    return switch (value) {
      case RATE, INCREASE, INSTANT_RATE -> growth(known);
      case RISE_RATE, RISE, INSTANT_RISE_RATE -> AggregationFunction.LAST;
      case CURRENT -> isLevel ? AggregationFunction.LAST : growth(known);
      case PRESENT, ABSENT -> AggregationFunction.COUNT;
      case CHANGES, DEVIATION, VARIANCE, QUANTILE ->
          throw new IllegalArgumentException(value + " is not stored");
      case SUM, MEAN, MIN, MAX, COUNT, LAST, DELTA, INSTANT_DELTA, SLOPE, PREDICTION -> {
        if (!isLevel) {
          throw PromQlFault.unsupported(
              "functions of levels of "
                  + known.name()
                  + ", which is a counter stored as what it grew by; take increase");
        }
        yield switch (value) {
          case SUM -> AggregationFunction.SUM;
          case MEAN -> AggregationFunction.AVG;
          case MIN -> AggregationFunction.MIN;
          case MAX -> AggregationFunction.MAX;
          case COUNT -> AggregationFunction.COUNT;
          default -> AggregationFunction.LAST;
        };
      }
    };
  }

  private static AggregationFunction growth(IndexedName known) {
    return known.meaning() == Meaning.OBSERVATIONS
        ? AggregationFunction.COUNT
        : AggregationFunction.SUM;
  }

  /** What the store computes when it does the aggregation; empty when it cannot. */
  static Optional<Computation> pushed(
      StepTimes times, SelectedMetric found, AggregationFunction figure, Aggregate aggregate) {
    WindowValue value = found.window().value();
    if (value == WindowValue.PRESENT
        || value.isOfReadings()
        || found.isLatestGrowth()
        || aggregate.grouping().keeps(LabelMatcher.NAME)) {
      return Optional.empty();
    }
    Aggregator aggregator = aggregate.aggregator();
    boolean addsUp =
        switch (figure) {
          case SUM, COUNT -> aggregator == Aggregator.SUM;
          case MIN -> aggregator == Aggregator.MIN;
          case MAX -> aggregator == Aggregator.MAX;
          default -> false;
        };
    String metric = found.known().metric();
    if (addsUp) {
      return Optional.of(new Computation(metric, figure, Optional.empty()));
    }
    if (!times.isBuckets(found.window())) {
      return Optional.empty();
    }
    TimeFunction ofSeries =
        switch (figure) {
          case SUM -> TimeFunction.SUM;
          case COUNT -> TimeFunction.COUNT;
          case MIN -> TimeFunction.MIN;
          case MAX -> TimeFunction.MAX;
          case AVG -> TimeFunction.MEAN;
          default -> TimeFunction.LAST;
        };
    return Optional.of(
        new Computation(
            metric, AggregationFunction.valueOf(aggregator.name()), Optional.of(ofSeries)));
  }
}
