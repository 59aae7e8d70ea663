package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.rollup.Contribution;

/**
 * The figures of one series in one window, on their way from one array to another. Mutable and used
 * again for every cell. NaN means absent.
 */
public final class Figures {

  public double sum;
  public long count;
  public double min;
  public double max;
  public double last;
  public long lastTimeUnixNano;

  public Figures ofValue(double value, long timeUnixNano) {
    sum = value;
    count = 1;
    min = value;
    max = value;
    last = value;
    lastTimeUnixNano = timeUnixNano;
    return this;
  }

  public Figures of(Contribution contribution, long timeUnixNano) {
    sum = contribution.sum();
    count = contribution.count();
    min = contribution.min();
    max = contribution.max();
    last = contribution.last();
    lastTimeUnixNano = Contribution.isPresent(contribution.last()) ? timeUnixNano : 0;
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

  static double greatest(double left, double right) {
    if (Double.isNaN(left)) {
      return right;
    }
    return Double.isNaN(right) ? left : Math.max(left, right);
  }
}
