package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.WireFormat;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A growing array with the writes of the protobuf wire format that points need. Fields have numbers
 * of 1 to 15, so that tags are one byte.
 */
final class ProtobufBytes {

  private static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Tags of the first and the second field of a message, when they have a length. */
  private static final byte FIRST = 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  /** Of a name and a value together, so that what they become has less than 128 bytes. */
  private static final int MAX_SHORT_TEXTS = 0x7F - 6;

  private static final byte SECOND = 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

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
    if (other.length > 0) {
      raw(other.bytes, 0, other.length);
    }
  }

  void varint(long value) {
    if ((value & ~0x7FL) == 0) {
      room(1);
      bytes[length++] = (byte) value;
      return;
    }
    room((70 - Long.numberOfLeadingZeros(value)) / 7);
    int at = length;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[at++] = (byte) (rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    length = at;
  }

  void varint(int field, long value) {
    tag(field, WireFormat.WIRETYPE_VARINT);
    varint(value);
  }

  void fixed64(int field, long value) {
    room(1 + Long.BYTES);
    bytes[length] = (byte) (field << 3 | WireFormat.WIRETYPE_FIXED64);
    LITTLE_ENDIAN.set(bytes, length + 1, value);
    length += 1 + Long.BYTES;
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
    if (keySize + valueSize > MAX_SHORT_TEXTS) {
      int any = sizeOfDelimited(valueSize);
      head(field, sizeOfDelimited(keySize) + sizeOfDelimited(any));
      delimited(1, key, keyAt, keySize);
      head(2, any);
      delimited(1, value, valueAt, valueSize);
      return;
    }
    // As nearly all are: every length is one byte.
    int any = 2 + valueSize;
    int whole = 2 + keySize + 2 + any;
    room(2 + whole + Long.BYTES);
    byte[] to = bytes;
    int at = length;
    to[at] = (byte) (field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED);
    to[at + 1] = (byte) whole;
    to[at + 2] = FIRST;
    to[at + 3] = (byte) keySize;
    copy(key, keyAt, to, at + 4, keySize);
    at += 4 + keySize;
    to[at] = SECOND;
    to[at + 1] = (byte) any;
    to[at + 2] = FIRST;
    to[at + 3] = (byte) valueSize;
    copy(value, valueAt, to, at + 4, valueSize);
    length = at + 4 + valueSize;
  }

  /**
   * Some bytes, for which a call or a loop over bytes costs more than copying. May write seven more
   * behind them, for which there must be room.
   */
  private static void copy(byte[] from, int fromAt, byte[] to, int toAt, int size) {
    if (from.length - fromAt - size < Long.BYTES) {
      System.arraycopy(from, fromAt, to, toAt, size);
      return;
    }
    for (int i = 0; i < size; i += Long.BYTES) {
      LITTLE_ENDIAN.set(to, toAt + i, (long) LITTLE_ENDIAN.get(from, fromAt + i));
    }
  }

  /** Size with tag and length of a field of number 1 to 15. */
  static int sizeOfDelimited(int content) {
    return 1 + sizeOfVarint(content) + content;
  }

  static int sizeOfVarint(int value) {
    return value == 0 ? 1 : (38 - Integer.numberOfLeadingZeros(value)) / 7;
  }

  private void tag(int field, int wireType) {
    room(1);
    bytes[length++] = (byte) (field << 3 | wireType);
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
    }
  }
}
