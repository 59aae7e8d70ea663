package io.tidemark.flink.model.panes;

import java.nio.ByteBuffer;

/**
 * Figures of up to {@value #SIZE} neighbouring series in one window: the unit that is allocated,
 * marked as changed and stored.
 */
final class PaneChunk {

  static final int SIZE = 64;
  private static final int CELL_BYTES = 6 * Long.BYTES;

  private final double[] sums = new double[SIZE];
  private final long[] counts = new long[SIZE];
  private final double[] minima = new double[SIZE];
  private final double[] maxima = new double[SIZE];
  private final double[] lasts = new double[SIZE];
  private final long[] lastTimes = new long[SIZE];
  private long present;

  /** Changed since it was stored. */
  boolean isDirty = true;

  /** Whether an older or equal version lies in the store. */
  boolean isStored;

  boolean has(int i) {
    return (present & (1L << i)) != 0;
  }

  long present() {
    return present;
  }

  void remove(int i) {
    present &= ~(1L << i);
    isDirty = true;
  }

  /**
   * Adds to cell {@code i}. Of equal times the figures that come later are the last.
   *
   * @return false, with nothing changed, when the sum would leave the range of a double or the
   *     count that of a long
   */
  boolean add(int i, Figures other) {
    if (!has(i)) {
      present |= 1L << i;
      sums[i] = other.sum;
      counts[i] = other.count;
      minima[i] = other.min;
      maxima[i] = other.max;
      lasts[i] = other.last;
      lastTimes[i] = other.lastTimeUnixNano;
      isDirty = true;
      return true;
    }
    double sum = Figures.added(sums[i], other.sum);
    long count = counts[i] + other.count;
    if (Double.isInfinite(sum) || count < 0) {
      return false;
    }
    sums[i] = sum;
    counts[i] = count;
    minima[i] = Figures.least(minima[i], other.min);
    maxima[i] = Figures.greatest(maxima[i], other.max);
    boolean hasLast = !Double.isNaN(other.last);
    if (hasLast && (Double.isNaN(lasts[i]) || other.lastTimeUnixNano >= lastTimes[i])) {
      lasts[i] = other.last;
      lastTimes[i] = other.lastTimeUnixNano;
    }
    isDirty = true;
    return true;
  }

  void read(int i, Figures into) {
    into.sum = sums[i];
    into.count = counts[i];
    into.min = minima[i];
    into.max = maxima[i];
    into.last = lasts[i];
    into.lastTimeUnixNano = lastTimes[i];
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(Long.BYTES + Long.bitCount(present) * CELL_BYTES);
    out.putLong(present);
    for (long rest = present; rest != 0; rest &= rest - 1) {
      int i = Long.numberOfTrailingZeros(rest);
      out.putDouble(sums[i]).putLong(counts[i]).putDouble(minima[i]);
      out.putDouble(maxima[i]).putDouble(lasts[i]).putLong(lastTimes[i]);
    }
    return out.array();
  }

  static PaneChunk decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    PaneChunk chunk = new PaneChunk();
    chunk.present = in.getLong();
    for (long rest = chunk.present; rest != 0; rest &= rest - 1) {
      int i = Long.numberOfTrailingZeros(rest);
      chunk.sums[i] = in.getDouble();
      chunk.counts[i] = in.getLong();
      chunk.minima[i] = in.getDouble();
      chunk.maxima[i] = in.getDouble();
      chunk.lasts[i] = in.getDouble();
      chunk.lastTimes[i] = in.getLong();
    }
    chunk.isDirty = false;
    chunk.isStored = true;
    return chunk;
  }
}
