package io.tidemark.flink.lake.parquet;

import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that grow, with the number forms of Parquet. */
final class ByteSink extends OutputStream {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = new byte[4096];
  private int size;

  byte[] array() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }

  /** Makes room for bytes that the caller sets in {@link #array}. */
  void skip(int count) {
    ensure(count);
    size += count;
  }

  @Override
  public void write(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  @Override
  public void write(byte[] source, int from, int length) {
    ensure(length);
    System.arraycopy(source, from, bytes, size, length);
    size += length;
  }

  void put(byte[] source) {
    write(source, 0, source.length);
  }

  void putInt(int value) {
    ensure(4);
    for (int shift = 0; shift < 32; shift += 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  void putLong(long value) {
    ensure(8);
    LONGS.set(bytes, size, value);
    size += 8;
  }

  /** Length, then content. */
  void putText(byte[] utf8) {
    putInt(utf8.length);
    put(utf8);
  }

  void putVarint(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  void putZigzag(long value) {
    putVarint((value << 1) ^ (value >> 63));
  }

  /** The low {@code count} bytes, little endian. */
  void putBytes(long value, int count) {
    ensure(count);
    for (int i = 0; i < count; i++) {
      bytes[size++] = (byte) (value >>> (8 * i));
    }
  }

  /** Overwrites four bytes written before. */
  void setInt(int at, int value) {
    for (int i = 0; i < 4; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }
}
