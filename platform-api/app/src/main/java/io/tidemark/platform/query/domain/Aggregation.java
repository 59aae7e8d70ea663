package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.TimeFunction;
import java.util.Optional;

/**
 * One aggregate that a query requests.
 *
 * @param function empty for what suits the kind of the metric
 * @param timeFunction empty when all values of all series count alike, or for what suits the kind
 */
public record Aggregation(
    String metric, Optional<AggregationFunction> function, Optional<TimeFunction> timeFunction) {

  /** Whether the kind of the metric decides something. */
  public boolean dependsOnKind() {
    return timeFunction.isEmpty()
        && (function.isEmpty() || function.get() == AggregationFunction.SUM);
  }

  /** Whether it is read from distributions. */
  boolean isQuantile() {
    return function.isPresent() && function.get().isQuantile();
  }

  /** What is computed for a metric of the kind. */
  public Computation of(MetricKind kind) {
    if (!dependsOnKind()) {
      return new Computation(metric, function.orElse(AggregationFunction.SUM), timeFunction);
    }
    if (function.isEmpty() && kind == MetricKind.HISTOGRAM) {
      return new Computation(metric, AggregationFunction.COUNT, Optional.empty());
    }
    return new Computation(
        metric,
        AggregationFunction.SUM,
        kind == MetricKind.GAUGE ? Optional.of(TimeFunction.MEAN) : Optional.empty());
  }

  /** A figure with nothing left open. */
  public record Computation(
      String metric, AggregationFunction function, Optional<TimeFunction> timeFunction) {}
}
