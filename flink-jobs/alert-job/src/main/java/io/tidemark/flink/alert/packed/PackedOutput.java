package io.tidemark.flink.alert.packed;

import java.util.Arrays;

/** Bytes that grow: whole numbers take as many as they need. */
public final class PackedOutput {

  private static final int FIRST_SIZE = 256;
  private static final int MAX_OF_A_NUMBER = 10;
  private static final int GROUP_BITS = 7;
  private static final int GROUP = 0x7F;
  private static final int MORE = 0x80;

  private byte[] bytes = new byte[FIRST_SIZE];
  private int size;

  public int size() {
    return size;
  }

  public void clear() {
    size = 0;
  }

  /** What was written since it was cleared. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }

  public void writeByte(int value) {
    room(1);
    bytes[size++] = (byte) value;
  }

  /** A number that is small and not negative, as a rule. */
  public void writeUnsigned(long value) {
    room(MAX_OF_A_NUMBER);
    long left = value;
    while ((left & ~GROUP) != 0) {
      bytes[size++] = (byte) (left & GROUP | MORE);
      left >>>= GROUP_BITS;
    }
    bytes[size++] = (byte) left;
  }

  /** A number near zero, as a rule. */
  public void writeSigned(long value) {
    writeUnsigned(value << 1 ^ value >> Long.SIZE - 1);
  }

  /** All bits of it, also of those that are no number. */
  public void writeDouble(double value) {
    room(Long.BYTES);
    long bits = Double.doubleToRawLongBits(value);
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[size++] = (byte) (bits >>> i * Byte.SIZE);
    }
  }

  /** Bytes after their length. */
  public void writeBytes(byte[] text) {
    writeUnsigned(text.length);
    room(text.length);
    System.arraycopy(text, 0, bytes, size, text.length);
    size += text.length;
  }

  /** Bytes that were packed by another. */
  public void append(PackedOutput other) {
    room(other.size);
    System.arraycopy(other.bytes, 0, bytes, size, other.size);
    size += other.size;
  }
}
