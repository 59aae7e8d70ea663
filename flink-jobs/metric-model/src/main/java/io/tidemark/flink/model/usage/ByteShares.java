package io.tidemark.flink.model.usage;

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
    // Fewer are left than there are shares with a remainder.
    for (; left > 0; left--) {
      int largest = 0;
      for (int i = 1; i < size; i++) {
        if (remainders[i] > remainders[largest]) {
          largest = i;
        }
      }
      shares[largest]++;
      remainders[largest] = -1;
    }
    return shares;
  }
}
