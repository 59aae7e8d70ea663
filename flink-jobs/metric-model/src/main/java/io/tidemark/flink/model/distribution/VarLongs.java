package io.tidemark.flink.model.distribution;

import java.nio.ByteBuffer;

/** Whole numbers in as many bytes as their size needs, small negative ones as short as positive. */
public final class VarLongs {

  /** Bytes of the longest. */
  public static final int LARGEST = 10;

  private VarLongs() {}

  public static void put(ByteBuffer out, long value) {
    long rest = (value << 1) ^ (value >> 63);
    while ((rest & ~0x7fL) != 0) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  public static long get(ByteBuffer in) {
    long bits = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      bits |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return (bits >>> 1) ^ -(bits & 1);
      }
    }
  }
}
