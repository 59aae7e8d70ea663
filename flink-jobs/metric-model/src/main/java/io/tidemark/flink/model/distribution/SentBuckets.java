package io.tidemark.flink.model.distribution;

/**
 * Puts the buckets of one sent histogram into a distribution, unless they contradict its count or
 * themselves. Work and memory are bounded by what was sent and by the grid, whatever offsets and
 * scales claim.
 */
public final class SentBuckets {

  /** More buckets of one sign, or bounds, are no histogram. */
  public static final int MAX = 16_384;

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

  /**
   * {@link #exponential} of points whose observations are all in one bucket above zero.
   *
   * @param index number of the bucket
   * @param count observations in all, more than 0
   * @param into empty
   * @return false when it must not be used
   */
  public static boolean single(int scale, int index, long count, Distribution into) {
    if (!BucketGrid.isScale(scale) || !BucketGrid.isPossible(scale, index)) {
      return false;
    }
    into.append(BucketGrid.bucketOf(scale, index, false), count);
    return true;
  }

  /** Returns what is left of the total. The greatest magnitude is the least value. */
  private static long putNegative(int scale, Side side, long total, Distribution into) {
    int first = firstUsed(side);
    int last = lastUsed(side);
    if (!isPossible(scale, side, first, last)) {
      return IMPOSSIBLE;
    }
    int shift = shift(scale);
    long rest = total;
    int i = last;
    while (i >= first) {
      long index = (long) side.offset() + i;
      int end = (int) Math.max(first, (index >> shift << shift) - side.offset());
      long held = rest;
      for (; i >= end; i--) {
        long count = side.counts()[i];
        if (count < 0 || count > rest) {
          return IMPOSSIBLE;
        }
        rest -= count;
      }
      into.append(BucketGrid.bucketOf(scale, index, true), held - rest);
    }
    return rest;
  }

  private static long putPositive(int scale, Side side, long total, Distribution into) {
    int first = firstUsed(side);
    int last = lastUsed(side);
    if (!isPossible(scale, side, first, last)) {
      return IMPOSSIBLE;
    }
    int shift = shift(scale);
    long rest = total;
    int i = first;
    while (i <= last) {
      long index = (long) side.offset() + i;
      int end = (int) Math.min(last, ((index >> shift) + 1 << shift) - 1 - side.offset());
      long held = rest;
      for (; i <= end; i++) {
        long count = side.counts()[i];
        if (count < 0 || count > rest) {
          return IMPOSSIBLE;
        }
        rest -= count;
      }
      into.append(BucketGrid.bucketOf(scale, index, false), held - rest);
    }
    return rest;
  }

  /** Buckets of a finer scale: 2 to this power of them follow each other in one of the grid. */
  private static int shift(int scale) {
    return Math.max(scale - BucketGrid.SCALE, 0);
  }

  private static int firstUsed(Side side) {
    int first = 0;
    while (first < side.size() && side.counts()[first] == 0) {
      first++;
    }
    return first;
  }

  private static int lastUsed(Side side) {
    int last = side.size() - 1;
    while (last >= 0 && side.counts()[last] == 0) {
      last--;
    }
    return last;
  }

  /** Possible indexes have no gap between them, so the outermost tell of all. */
  private static boolean isPossible(int scale, Side side, int first, int last) {
    return first > last
        || (BucketGrid.isScale(scale)
            && BucketGrid.isPossible(scale, (long) side.offset() + first)
            && BucketGrid.isPossible(scale, (long) side.offset() + last));
  }
}
