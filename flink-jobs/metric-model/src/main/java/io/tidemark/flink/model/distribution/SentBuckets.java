package io.tidemark.flink.model.distribution;

/**
 * Puts the buckets of one sent histogram into a distribution, unless they contradict its count or
 * themselves. Work and memory are bounded by what was sent and by the grid, whatever offsets and
 * scales claim.
 */
public final class SentBuckets {

  /** More buckets of one sign, or bounds, are no histogram. */
  public static final int MOST = 16_384;

  private static final long IMPOSSIBLE = -1;

  private SentBuckets() {}

  /**
   * @param total observations in all
   * @param counts of each bucket, unsigned
   * @param size number of counts; one more than bounds
   * @param into empty
   * @return false when it must not be used; {@code into} then means nothing
   */
  public static boolean explicit(
      ExplicitBounds bounds, long total, long[] counts, int size, Distribution into) {
    if (size != bounds.size()) {
      return false;
    }
    long rest = total;
    for (int i = 0; i < size; i++) {
      long count = counts[i];
      if (count != 0) {
        // A count that does not fit a long is no real one.
        if (count < 0 || count > rest) {
          return false;
        }
        rest -= count;
        into.append(bounds.bucket(i), count);
      }
    }
    return rest == 0;
  }

  /**
   * One side of an exponential histogram.
   *
   * @param offset number of the first bucket
   * @param counts of each bucket, unsigned
   * @param size number of counts
   */
  @SuppressWarnings("ArrayRecordComponent") // Only lent; never compared.
  public record Side(int offset, long[] counts, int size) {}

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
    long rest = putNegative(scale, negative, total - zeroCount, into);
    into.append(0, zeroCount);
    return rest != IMPOSSIBLE && putPositive(scale, positive, rest, into) == 0;
  }

  /** Returns what is left of the total. The greatest magnitude is the least value. */
  private static long putNegative(int scale, Side side, long total, Distribution into) {
    long rest = total;
    int last = 0;
    long held = 0;
    for (int i = side.size() - 1; i >= 0; i--) {
      long count = side.counts()[i];
      if (count != 0) {
        long index = (long) side.offset() + i;
        if (count < 0 || count > rest || !isPossible(scale, index)) {
          return IMPOSSIBLE;
        }
        rest -= count;
        int bucket = BucketGrid.bucketOf(scale, index, true);
        if (bucket != last) {
          into.append(last, held);
          last = bucket;
          held = 0;
        }
        held += count;
      }
    }
    into.append(last, held);
    return rest;
  }

  private static long putPositive(int scale, Side side, long total, Distribution into) {
    long rest = total;
    int last = 0;
    long held = 0;
    for (int i = 0; i < side.size(); i++) {
      long count = side.counts()[i];
      if (count != 0) {
        long index = (long) side.offset() + i;
        if (count < 0 || count > rest || !isPossible(scale, index)) {
          return IMPOSSIBLE;
        }
        rest -= count;
        int bucket = BucketGrid.bucketOf(scale, index, false);
        if (bucket != last) {
          into.append(last, held);
          last = bucket;
          held = 0;
        }
        held += count;
      }
    }
    into.append(last, held);
    return rest;
  }

  private static boolean isPossible(int scale, long index) {
    return BucketGrid.isScale(scale) && BucketGrid.isPossible(scale, index);
  }
}
