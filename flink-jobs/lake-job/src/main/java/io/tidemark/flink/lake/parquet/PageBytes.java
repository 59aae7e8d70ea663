package io.tidemark.flink.lake.parquet;

/**
 * Reads what {@link RunLengths}, {@link DeltaBinaryPackedEncoder} and {@link DoublePages} write.
 */
final class PageBytes {

  private final byte[] bytes;
  private int at;

  PageBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  boolean hasMore() {
    return at < bytes.length;
  }

  int next() {
    return bytes[at++] & 0xff;
  }

  int nextInt() {
    return (int) nextBytes(Integer.BYTES);
  }

  long nextLong() {
    return nextBytes(Long.BYTES);
  }

  double[] doubles(int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = Double.longBitsToDouble(nextLong());
    }
    return values;
  }

  /** First bytes of all values, then all second bytes. */
  double[] splitDoubles(int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      long bits = 0;
      for (int stream = 0; stream < Double.BYTES; stream++) {
        bits |= (bytes[at + stream * count + i] & 0xFFL) << (Byte.SIZE * stream);
      }
      values[i] = Double.longBitsToDouble(bits);
    }
    at += count * Double.BYTES;
    return values;
  }

  double[] ofDictionary(double[] distinct, int count) {
    int[] places = places(count);
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = distinct[places[i]];
    }
    return values;
  }

  byte[] nextText() {
    int length = nextInt();
    byte[] text = java.util.Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return text;
  }

  /** Levels with their length in front. */
  int[] levels(int count, int largest) {
    int end = nextInt();
    end += at;
    int[] levels = runLengths(count, RunLengths.widthOf(largest));
    at = end;
    return levels;
  }

  /** Places in a dictionary with their width in front. */
  int[] places(int count) {
    int width = next();
    return runLengths(count, width);
  }

  int[] runLengths(int count, int width) {
    int[] values = new int[count];
    int filled = 0;
    while (filled < count) {
      int header = (int) nextVarint();
      if ((header & 1) == 0) {
        int value = (int) nextBytes((width + 7) / 8);
        int end = Math.min(count, filled + (header >>> 1));
        java.util.Arrays.fill(values, filled, end, value);
        filled = end;
      } else {
        filled = packed(values, filled, (header >>> 1) * 8, width);
      }
    }
    return values;
  }

  private int packed(int[] values, int from, int count, int width) {
    long bits = 0;
    int held = 0;
    long mask = (1L << width) - 1;
    int filled = from;
    for (int i = 0; i < count; i++) {
      while (held < width) {
        bits |= (long) next() << held;
        held += 8;
      }
      if (filled < values.length) {
        values[filled++] = (int) (bits & mask);
      }
      bits >>>= width;
      held -= width;
    }
    return filled;
  }

  long[] deltas(boolean isInt) {
    int block = (int) nextVarint();
    int miniBlocks = (int) nextVarint();
    int count = (int) nextVarint();
    long value = nextZigzag();
    long[] values = new long[count];
    if (count == 0) {
      return values;
    }
    values[0] = value;
    int inMini = block / miniBlocks;
    for (int filled = 1; filled < count; ) {
      long least = nextZigzag();
      int widths = at;
      at += miniBlocks;
      for (int mini = 0; mini < miniBlocks && filled < count; mini++) {
        int width = bytes[widths + mini] & 0xff;
        int end = at + inMini * width / 8;
        int take = Math.min(inMini, count - filled);
        for (int i = 0; i < take; i++) {
          long delta = least + packedLong(at, i * width, width);
          value = isInt ? (int) (value + delta) : value + delta;
          values[filled++] = value;
        }
        at = end;
      }
    }
    return values;
  }

  private long packedLong(int from, int bit, int width) {
    long value = 0;
    int done = 0;
    while (done < width) {
      int place = bit + done;
      int inByte = place & 7;
      int taken = Math.min(8 - inByte, width - done);
      long part = ((bytes[from + (place >>> 3)] & 0xff) >>> inByte) & ((1 << taken) - 1);
      value |= part << done;
      done += taken;
    }
    return value;
  }

  private long nextVarint() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int next = next();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
  }

  private long nextZigzag() {
    long value = nextVarint();
    return (value >>> 1) ^ -(value & 1);
  }

  private long nextBytes(int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value |= (long) next() << (8 * i);
    }
    return value;
  }
}
