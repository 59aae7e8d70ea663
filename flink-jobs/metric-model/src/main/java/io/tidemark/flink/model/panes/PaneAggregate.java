package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.rollup.Contribution;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one series in one window, on their way from one array to another. Mutable and used
 * again for every cell. NaN means absent.
 */
public final class PaneAggregate {

  public double sum;
  public long count;
  public double min;
  public double max;
  public double last;
  public long lastTimeUnixNano;

  /** Observations by bucket, only lent; null when there are none. */
  public @Nullable Distribution distribution;

  /** Before anything is added: no sum, no observations. */
  public PaneAggregate ofNothing() {
    sum = Double.NaN;
    count = 0;
    min = Double.NaN;
    max = Double.NaN;
    last = Double.NaN;
    lastTimeUnixNano = 0;
    distribution = null;
    return this;
  }

  public PaneAggregate ofValue(double value, long timeUnixNano) {
    sum = value;
    count = 1;
    min = value;
    max = value;
    last = value;
    lastTimeUnixNano = timeUnixNano;
    distribution = null;
    return this;
  }

  public PaneAggregate of(Contribution contribution, long timeUnixNano) {
    sum = contribution.sum();
    count = contribution.count();
    min = contribution.min();
    max = contribution.max();
    last = contribution.last();
    lastTimeUnixNano = Contribution.isPresent(contribution.last()) ? timeUnixNano : 0;
    distribution = contribution.distribution();
    return this;
  }

  static double added(double left, double right) {
    if (Double.isNaN(left)) {
      return right;
    }
    return Double.isNaN(right) ? left : left + right;
  }

  static double least(double left, double right) {
    if (Double.isNaN(left)) {
      return right;
    }
    return Double.isNaN(right) ? left : Math.min(left, right);
  }

  static double max(double left, double right) {
    if (Double.isNaN(left)) {
      return right;
    }
    return Double.isNaN(right) ? left : Math.max(left, right);
  }
}
