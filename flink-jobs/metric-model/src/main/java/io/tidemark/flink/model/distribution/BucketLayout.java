package io.tidemark.flink.model.distribution;

/**
 * Which sender's buckets were put into which of the grid. Two running totals have comparable
 * buckets only if they agree in it.
 */
public final class BucketLayout {

  /** Nothing is known of buckets. */
  public static final long NONE = 0;

  private static final long EXACT = 1;
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private BucketLayout() {}

  /** All scales that fit into the grid exactly are one layout: a sender may change among them. */
  public static long ofScale(int scale) {
    return scale >= BucketGrid.SCALE ? EXACT : EXACT + BucketGrid.SCALE - scale;
  }

  /** Negative, so that it is never one of a scale. */
  static long ofBounds(double[] bounds) {
    long hash = bounds.length;
    for (double bound : bounds) {
      hash = (Long.rotateLeft(hash, 29) ^ Double.doubleToLongBits(bound + 0.0)) * MIX;
    }
    return hash | Long.MIN_VALUE;
  }
}
