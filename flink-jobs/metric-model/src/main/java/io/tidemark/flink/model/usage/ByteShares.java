package io.tidemark.flink.model.usage;

import java.util.Arrays;

/**
 * Divides the bytes of a batch by points, by the largest remainder: shares are whole and add up to
 * the bytes. Of equal remainders the earlier share is larger, so the division is the same whoever
 * computes it.
 */
public final class ByteShares {

  private ByteShares() {}

  /**
   * @param bytes of the batch
   * @param points of each share; at least one is positive
   * @param size how many of {@code points} are shares
   * @return as many shares; zero for those without points
   */
  public static long[] of(long bytes, long[] points, int size) {
    long all = 0;
    for (int i = 0; i < size; i++) {
      all = Math.addExact(all, points[i]);
    }
    long[] shares = new long[size];
    if (all == 0) {
      return shares;
    }
    long[] remainders = new long[size];
    long left = bytes;
    for (int i = 0; i < size; i++) {
      long product = Math.multiplyExact(bytes, points[i]);
      shares[i] = product / all;
      remainders[i] = product % all;
      left -= shares[i];
    }
    if (left > 0) {
      addOne(shares, remainders, (int) left);
    }
    return shares;
  }

  /**
   * One byte more for the shares of the largest remainders, each once.
   *
   * @param left fewer than there are shares with a remainder
   */
  private static void addOne(long[] shares, long[] remainders, int left) {
    long[] sorted = remainders.clone();
    Arrays.sort(sorted);
    long least = sorted[sorted.length - left];
    int ofLeast = 0;
    for (int i = sorted.length - left; i < sorted.length && sorted[i] == least; i++) {
      ofLeast++;
    }
    for (int i = 0; i < shares.length; i++) {
      if (remainders[i] > least) {
        shares[i]++;
      } else if (remainders[i] == least && ofLeast > 0) {
        shares[i]++;
        ofLeast--;
      }
    }
  }
}
