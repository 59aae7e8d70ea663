package io.tidemark.flink.alert.packed;

import java.util.Arrays;

/** Reads what {@link PackedOutput} wrote. Damaged bytes are a failure of the state or the net. */
public final class PackedInput {

  private static final int GROUP_BITS = 7;
  private static final int GROUP = 0x7F;

  private final byte[] bytes;
  private int at;

  public PackedInput(byte[] bytes) {
    this.bytes = bytes;
  }

  /** All bytes, of which {@link #at} is the next. */
  public byte[] bytes() {
    return bytes;
  }

  public int at() {
    return at;
  }

  public boolean hasMore() {
    return at < bytes.length;
  }

  public void skip(int length) {
    at += length;
  }

  public int readByte() {
    return bytes[at++] & 0xFF;
  }

  public long readUnsigned() {
    long value = 0;
    int shift = 0;
    byte one;
    do {
      one = bytes[at++];
      value |= (long) (one & GROUP) << shift;
      shift += GROUP_BITS;
    } while (one < 0);
    return value;
  }

  /** A length or a number of things. */
  public int readCount() {
    return Math.toIntExact(readUnsigned());
  }

  public long readSigned() {
    long value = readUnsigned();
    return value >>> 1 ^ -(value & 1);
  }

  public double readDouble() {
    long bits = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      bits |= (long) (bytes[at++] & 0xFF) << i * Byte.SIZE;
    }
    return Double.longBitsToDouble(bits);
  }

  public byte[] readBytes() {
    int length = readCount();
    byte[] text = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return text;
  }

  /**
   * Reads which form follows.
   *
   * @throws IllegalStateException when it is none that this version knows
   */
  public void expectForm(int form, String what) {
    int found = readByte();
    if (found != form) {
      throw new IllegalStateException(
          what + " have form " + found + ", which a newer version of the job wrote; run that one");
    }
  }
}
