package io.tidemark.flink.model.distribution;

import org.jspecify.annotations.Nullable;

/**
 * Bounds of a sender's buckets and where those go in the grid: each whole, into the bucket of one
 * value, so that differences and sums of counts are exact. That value is
 *
 * <ul>
 *   <li>between bounds of one sign: their geometric mean, off by a factor of √(upper/lower) at
 *       most;
 *   <li>between 0 and a bound: half the bound;
 *   <li>between bounds of different signs: their arithmetic mean;
 *   <li>below the first bound: half of it if it is positive, as if the values began at 0; else the
 *       bound;
 *   <li>above the last bound: the least value above it.
 * </ul>
 */
public final class ExplicitBounds {

  private final short[] buckets;
  private final long layout;

  private ExplicitBounds(double[] bounds) {
    buckets = new short[bounds.length + 1];
    for (int i = 0; i <= bounds.length; i++) {
      double lower = i == 0 ? Double.NEGATIVE_INFINITY : bounds[i - 1];
      double upper = i == bounds.length ? Double.POSITIVE_INFINITY : bounds[i];
      buckets[i] = (short) BucketGrid.bucketOf(valueFor(lower, upper));
    }
    layout = BucketLayout.ofBounds(bounds);
  }

  /** Null when the bounds do not ascend strictly or one is NaN. */
  public static @Nullable ExplicitBounds of(double[] bounds) {
    for (int i = 0; i < bounds.length; i++) {
      boolean isAscending = i == 0 ? !Double.isNaN(bounds[0]) : bounds[i] > bounds[i - 1];
      if (!isAscending) {
        return null;
      }
    }
    return new ExplicitBounds(bounds);
  }

  /** Buckets of the sender: one more than bounds. */
  public int size() {
    return buckets.length;
  }

  /** Bucket of the grid for the sender's bucket {@code i}; grows with {@code i} or stays. */
  public int bucket(int i) {
    return buckets[i];
  }

  public long layout() {
    return layout;
  }

  private static double valueFor(double lower, double upper) {
    if (upper == Double.POSITIVE_INFINITY) {
      return Math.nextUp(lower);
    }
    if (lower == Double.NEGATIVE_INFINITY) {
      return upper > 0 ? upper / 2 : upper;
    }
    if (lower > 0 || upper < 0) {
      return Math.copySign(geometricMean(Math.abs(lower), Math.abs(upper)), upper);
    }
    return lower / 2 + upper / 2;
  }

  /**
   * Exact where it is a power of two: two roots, each rounded, could end above the bucket's end.
   */
  private static double geometricMean(double one, double other) {
    int exponent = Math.getExponent(one) + Math.getExponent(other);
    int odd = exponent & 1;
    double product =
        Math.scalb(one, -Math.getExponent(one)) * Math.scalb(other, -Math.getExponent(other));
    return Math.scalb(Math.sqrt(Math.scalb(product, odd)), (exponent - odd) / 2);
  }
}
