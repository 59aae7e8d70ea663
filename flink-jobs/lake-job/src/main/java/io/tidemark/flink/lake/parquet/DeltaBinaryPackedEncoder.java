package io.tidemark.flink.lake.parquet;

/** Parquet's DELTA_BINARY_PACKED: what grows steadily takes next to nothing. */
final class DeltaBinaryPackedEncoder {

  private static final int BLOCK = 128;
  private static final int MINI_BLOCKS = 4;
  private static final int MINI_BLOCK = BLOCK / MINI_BLOCKS;

  private DeltaBinaryPackedEncoder() {}

  /**
   * @param count how many of {@code values}, from the first
   * @param isInt whether the column is of 32 bits: differences wrap there
   */
  static void write(long[] values, int count, boolean isInt, ByteSink out) {
    out.putVarint(BLOCK);
    out.putVarint(MINI_BLOCKS);
    out.putVarint(count);
    out.putZigzag(count == 0 ? 0 : values[0]);
    long[] deltas = new long[BLOCK];
    for (int from = 1; from < count; from += BLOCK) {
      int inBlock = Math.min(BLOCK, count - from);
      long least = Long.MAX_VALUE;
      for (int i = 0; i < inBlock; i++) {
        long delta = values[from + i] - values[from + i - 1];
        delta = isInt ? (int) delta : delta;
        deltas[i] = delta;
        least = Math.min(least, delta);
      }
      java.util.Arrays.fill(deltas, inBlock, BLOCK, least);
      block(deltas, inBlock, least, isInt, out);
    }
  }

  private static void block(long[] deltas, int inBlock, long least, boolean isInt, ByteSink out) {
    out.putZigzag(least);
    int widths = out.size();
    out.putBytes(0, MINI_BLOCKS);
    int miniBlocks = (inBlock + MINI_BLOCK - 1) / MINI_BLOCK;
    for (int mini = 0; mini < miniBlocks; mini++) {
      int from = mini * MINI_BLOCK;
      long any = 0;
      for (int i = from; i < from + MINI_BLOCK; i++) {
        long rest = deltas[i] - least;
        rest = isInt ? rest & 0xFFFF_FFFFL : rest;
        deltas[i] = rest;
        any |= rest;
      }
      int width = Long.SIZE - Long.numberOfLeadingZeros(any);
      out.array()[widths + mini] = (byte) width;
      pack(deltas, from, width, out);
    }
  }

  private static void pack(long[] values, int from, int width, ByteSink out) {
    if (width == 0) {
      return;
    }
    out.ensure(MINI_BLOCK * Long.BYTES + Long.BYTES);
    long bits = 0;
    int filled = 0;
    for (int i = from; i < from + MINI_BLOCK; i++) {
      long value = values[i];
      bits |= value << filled;
      filled += width;
      if (filled >= Long.SIZE) {
        out.putLong(bits);
        filled -= Long.SIZE;
        bits = filled == 0 ? 0 : value >>> (width - filled);
      }
    }
    // 32 values of any width end at a byte.
    out.putBytes(bits, filled / 8);
  }
}
