package io.tidemark.platform.metricstore;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the values of one bucket and group, or of one series in it; adds up with others.
 * NaN stands for a figure that is not there. Mutable.
 */
public final class AggregateState {

  public double sum = Double.NaN;
  public long count;
  public double min = Double.NaN;
  public double max = Double.NaN;
  public double last = Double.NaN;

  /** Only the order matters: which of two last values is the later one. */
  public long lastAt = Long.MIN_VALUE;

  public @Nullable Distribution distribution;

  /** Some observations of the distribution came without their least or greatest value. */
  private boolean withoutExtremes;

  /** The figures of one value. */
  public static AggregateState of(double value) {
    AggregateState figures = new AggregateState();
    figures.sum = value;
    figures.count = 1;
    figures.min = value;
    figures.max = value;
    return figures;
  }

  public void add(AggregateState other) {
    withoutExtremes = lacksExtremes() || other.lacksExtremes();
    sum = Double.isNaN(sum) ? other.sum : Double.isNaN(other.sum) ? sum : sum + other.sum;
    count += other.count;
    min = Double.isNaN(min) || other.min < min ? other.min : min;
    max = Double.isNaN(max) || other.max > max ? other.max : max;
    if (!Double.isNaN(other.last) && other.lastAt >= lastAt) {
      last = other.last;
      lastAt = other.lastAt;
    }
    if (other.distribution != null) {
      if (distribution == null) {
        distribution = new Distribution();
      }
      distribution.add(other.distribution);
    }
  }

  /** One number for all values; NaN when there is none. */
  public double value(AggregationFunction function) {
    return switch (function) {
      case SUM -> sum;
      case MIN -> min;
      case MAX -> max;
      case COUNT -> count;
      case LAST -> last;
      case AVG -> count == 0 ? Double.NaN : sum / count;
      case P50, P75, P90, P95, P99 -> quantile(function.quantile());
    };
  }

  /**
   * A quantile of the distribution, within the least and the greatest value where all observations
   * have them: buckets say where values are, and of explicit ones that may be far from it. NaN when
   * there is no distribution.
   *
   * @param quantile 0 to 1
   */
  public double quantile(double quantile) {
    if (distribution == null) {
      return Double.NaN;
    }
    double estimate = distribution.quantile(quantile);
    return lacksExtremes() || Double.isNaN(estimate)
        ? estimate
        : Math.max(min, Math.min(max, estimate));
  }

  private boolean lacksExtremes() {
    return distribution != null && (withoutExtremes || Double.isNaN(min) || Double.isNaN(max));
  }

  /** One number for the values of one series; NaN when there is none. */
  public double value(TimeFunction function) {
    return switch (function) {
      case SUM -> sum;
      case MIN -> min;
      case MAX -> max;
      case COUNT -> count;
      case LAST -> last;
      case MEAN -> count > 0 ? sum / count : Double.NaN;
    };
  }
}
