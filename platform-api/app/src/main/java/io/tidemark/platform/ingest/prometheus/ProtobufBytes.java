package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.WireFormat;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing array with the writes of the protobuf wire format that points need. */
final class ProtobufBytes {

  private static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int length;

  ProtobufBytes(int expected) {
    bytes = new byte[expected];
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  /** What was written; valid until the next write. Only the first {@link #length} bytes count. */
  byte[] array() {
    return bytes;
  }

  /** An array of just what was written; not to be written to any more. */
  byte[] whole() {
    return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
  }

  void raw(byte[] source, int offset, int size) {
    room(size);
    System.arraycopy(source, offset, bytes, length, size);
    length += size;
  }

  void raw(ProtobufBytes other) {
    raw(other.bytes, 0, other.length);
  }

  void raw(byte[] source) {
    raw(source, 0, source.length);
  }

  boolean isEqualTo(byte[] other) {
    return Arrays.equals(bytes, 0, length, other, 0, other.length);
  }

  /** A copy of what was written. */
  byte[] copy() {
    return Arrays.copyOf(bytes, length);
  }

  void varint(long value) {
    if ((value & ~0x7FL) == 0) {
      room(1);
      bytes[length++] = (byte) value;
      return;
    }
    room((70 - Long.numberOfLeadingZeros(value)) / 7);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  void varint(int field, long value) {
    tag(field, WireFormat.WIRETYPE_VARINT);
    varint(value);
  }

  void fixed64(int field, long value) {
    tag(field, WireFormat.WIRETYPE_FIXED64);
    room(8);
    LITTLE_ENDIAN.set(bytes, length, value);
    length += 8;
  }

  void real(int field, double value) {
    fixed64(field, Double.doubleToRawLongBits(value));
  }

  void delimited(int field, byte[] source, int offset, int size) {
    head(field, size);
    raw(source, offset, size);
  }

  void delimited(int field, ProtobufBytes content) {
    delimited(field, content.bytes, 0, content.length);
  }

  /** Tag and length; the content must follow. */
  void head(int field, int size) {
    tag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    varint(size);
  }

  /** An OTLP KeyValue whose value is a text. */
  void text(
      int field, byte[] key, int keyAt, int keySize, byte[] value, int valueAt, int valueSize) {
    int any = sizeOfDelimited(valueSize);
    head(field, sizeOfDelimited(keySize) + sizeOfDelimited(any));
    delimited(1, key, keyAt, keySize);
    head(2, any);
    delimited(1, value, valueAt, valueSize);
  }

  /** Size with tag and length of a field of number 1 to 15. */
  static int sizeOfDelimited(int content) {
    return 1 + sizeOfVarint(content) + content;
  }

  static int sizeOfVarint(int value) {
    return value == 0 ? 1 : (38 - Integer.numberOfLeadingZeros(value)) / 7;
  }

  private void tag(int field, int wireType) {
    varint((long) field << 3 | wireType);
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
    }
  }
}
