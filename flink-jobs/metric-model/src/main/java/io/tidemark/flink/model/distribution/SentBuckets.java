package io.tidemark.flink.model.distribution;

import java.util.function.IntToLongFunction;

/**
 * Puts the buckets of one sent histogram into a distribution, unless they contradict its count or
 * themselves. Work and memory are bounded by what was sent and by the grid, whatever offsets and
 * scales claim.
 */
public final class SentBuckets {

  /** More buckets of one sign, or bounds, are no histogram. */
  public static final int MOST = 16_384;

  private SentBuckets() {}

  /**
   * @param total observations in all
   * @param size number of counts; one more than bounds
   * @param counts of each bucket, unsigned
   * @param into empty
   * @return false when it must not be used; {@code into} then means nothing
   */
  public static boolean explicit(
      ExplicitBounds bounds, long total, int size, IntToLongFunction counts, Distribution into) {
    if (size != bounds.size()) {
      return false;
    }
    long rest = total;
    for (int i = 0; i < size && rest >= 0; i++) {
      long count = counts.applyAsLong(i);
      // A count that does not fit a long is no real one.
      rest = count < 0 || count > rest ? -1 : rest - count;
      into.append(bounds.bucket(i), count);
    }
    return rest == 0;
  }

  /**
   * One side of an exponential histogram.
   *
   * @param offset number of the first bucket
   * @param size number of counts
   * @param counts of each bucket, unsigned
   */
  public record Side(int offset, int size, IntToLongFunction counts) {}

  /**
   * @param total observations in all
   * @param zeroCount those that are about 0, whatever the sender's threshold
   * @param into empty
   * @return false when it must not be used; {@code into} then means nothing
   */
  public static boolean exponential(
      int scale, long total, long zeroCount, Side negative, Side positive, Distribution into) {
    if (zeroCount < 0 || zeroCount > total) {
      return false;
    }
    long rest = total - zeroCount;
    for (int i = negative.size() - 1; i >= 0 && rest >= 0; i--) {
      rest = put(scale, negative, i, true, rest, into);
    }
    into.append(0, zeroCount);
    for (int i = 0; i < positive.size() && rest >= 0; i++) {
      rest = put(scale, positive, i, false, rest, into);
    }
    return rest == 0;
  }

  /** Returns what is left of the total; negative when the bucket is impossible. */
  private static long put(
      int scale, Side side, int i, boolean isNegative, long rest, Distribution into) {
    long count = side.counts().applyAsLong(i);
    if (count == 0) {
      return rest;
    }
    long index = (long) side.offset() + i;
    boolean isPossible =
        count > 0
            && count <= rest
            && BucketGrid.isScale(scale)
            && BucketGrid.isPossible(scale, index);
    if (!isPossible) {
      return -1;
    }
    into.append(BucketGrid.bucketOf(scale, index, isNegative), count);
    return rest - count;
  }
}
