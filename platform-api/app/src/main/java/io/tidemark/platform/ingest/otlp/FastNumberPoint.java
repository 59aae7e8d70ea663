package io.tidemark.platform.ingest.otlp;

import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A number point as senders usually write it, read in place: times, a value, flags, and attributes
 * whose keys and texts are ASCII. Whatever else there is makes it not plain, and it is read as an
 * object; both ways come to the same. Reused; not thread-safe.
 */
final class FastNumberPoint {

  /** What the value is. */
  enum Value {
    NONE,
    INTEGER,
    REAL
  }

  private static final int START = NumberDataPoint.START_TIME_UNIX_NANO_FIELD_NUMBER << 3 | 1;
  private static final int TIME = NumberDataPoint.TIME_UNIX_NANO_FIELD_NUMBER << 3 | 1;
  private static final int AS_DOUBLE = NumberDataPoint.AS_DOUBLE_FIELD_NUMBER << 3 | 1;
  private static final int AS_INT = NumberDataPoint.AS_INT_FIELD_NUMBER << 3 | 1;
  private static final int ATTRIBUTE = NumberDataPoint.ATTRIBUTES_FIELD_NUMBER << 3 | 2;
  private static final int FLAGS = NumberDataPoint.FLAGS_FIELD_NUMBER << 3;

  /** Fields of KeyValue. */
  private static final int KEY = 1 << 3 | 2;

  private static final int VALUE = 2 << 3 | 2;

  /** Fields of AnyValue. */
  private static final int TEXT = 1 << 3 | 2;

  private static final int BOOLEAN = 2 << 3;
  private static final int INTEGER = 3 << 3;
  private static final int REAL = 4 << 3 | 1;

  /** Bytes behind the tag of an attribute with a key of one letter and an empty text. */
  private static final int SHORTEST_TEXT = 8;

  private static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long HIGH_BITS = 0x8080808080808080L;

  private byte[] bytes = {};
  private int at;
  private boolean isPlain;

  private long time;
  private Value kind = Value.NONE;
  private double real;
  private int flags;
  private boolean hasEmptyKey;

  /** Whether the slice is a plain point; only then the rest says something. */
  boolean read(MessageSlice point) {
    if (point.length() > MessageSlice.MAX_PART) {
      return false;
    }
    bytes = point.bytes();
    at = point.offset();
    int end = at + point.length();
    isPlain = true;
    time = 0;
    kind = Value.NONE;
    real = 0;
    flags = 0;
    hasEmptyKey = false;
    while (isPlain && at < end) {
      field(end);
    }
    return isPlain && at == end;
  }

  long time() {
    return time;
  }

  Value kind() {
    return kind;
  }

  double real() {
    return real;
  }

  int flags() {
    return flags;
  }

  boolean hasEmptyKey() {
    return hasEmptyKey;
  }

  private void field(int end) {
    switch (bytes[at++]) {
      case START -> fixed64(end);
      case TIME -> time = fixed64(end);
      case AS_DOUBLE -> {
        real = Double.longBitsToDouble(fixed64(end));
        kind = Value.REAL;
      }
      case AS_INT -> {
        fixed64(end);
        kind = Value.INTEGER;
      }
      case ATTRIBUTE -> attributes(end);
      case FLAGS -> flags = (int) varint(end);
      default -> isPlain = false;
    }
  }

  /**
   * Reads attributes for as long as they are a key and a text, with sizes of one byte, as nearly
   * all are: their form is looked at one by one, their letters all at once. Reads one attribute
   * when the first has another form.
   */
  private void attributes(int end) {
    byte[] read = bytes;
    int begin = at - 1;
    int place = begin;
    while (place < end && read[place] == ATTRIBUTE) {
      int next = endOfText(read, place + 1, end);
      if (next < 0) {
        break;
      }
      place = next;
    }
    if (place == begin) {
      attribute(end);
      return;
    }
    at = place;
    // Tags and sizes are below 128, as ASCII is.
    isPlain = isAscii(read, begin, place);
  }

  /** Where the attribute ends whose size is at a place; -1 when it has another form. */
  private static int endOfText(byte[] bytes, int place, int outer) {
    if (outer - place < SHORTEST_TEXT) {
      return -1;
    }
    int end = place + 1 + bytes[place];
    int key = bytes[place + 2];
    int value = place + 3 + key;
    boolean isText =
        end <= outer
            && bytes[place + 1] == KEY
            && key > 0
            && value + 4 <= end
            && bytes[value] == VALUE
            && bytes[value + 1] == end - value - 2
            && bytes[value + 2] == TEXT
            && bytes[value + 3] == end - value - 4;
    return isText ? end : -1;
  }

  /** Of eight bytes or more. */
  private static boolean isAscii(byte[] bytes, int begin, int end) {
    long bits = (long) LITTLE_ENDIAN.get(bytes, end - Long.BYTES);
    for (int at = begin; at < end - Long.BYTES; at += Long.BYTES) {
      bits |= (long) LITTLE_ENDIAN.get(bytes, at);
    }
    return (bits & HIGH_BITS) == 0;
  }

  private void attribute(int outer) {
    int end = length(outer);
    int keySize = 0;
    while (isPlain && at < end) {
      switch (bytes[at++]) {
        case KEY -> keySize = ascii(end);
        case VALUE -> value(end);
        default -> isPlain = false;
      }
    }
    hasEmptyKey |= keySize == 0;
  }

  private void value(int outer) {
    int end = length(outer);
    while (isPlain && at < end) {
      switch (bytes[at++]) {
        case TEXT -> ascii(end);
        case BOOLEAN, INTEGER -> varint(end);
        case REAL -> fixed64(end);
        default -> isPlain = false;
      }
    }
  }

  /** The size of a text, which is skipped. */
  private int ascii(int outer) {
    int end = length(outer);
    int size = end - at;
    while (at <= end - Long.BYTES && ((long) LITTLE_ENDIAN.get(bytes, at) & HIGH_BITS) == 0) {
      at += Long.BYTES;
    }
    while (at < end) {
      if (bytes[at] < 0) {
        isPlain = false;
        return size;
      }
      at++;
    }
    return size;
  }

  /** Where the part ends whose size comes next; here, when it does not fit. */
  private int length(int end) {
    long size = varint(end);
    if (!isPlain || size < 0 || size > end - at) {
      isPlain = false;
      return at;
    }
    return at + (int) size;
  }

  private long varint(int end) {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at >= end) {
        isPlain = false;
        return 0;
      }
      byte next = bytes[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    isPlain = false;
    return 0;
  }

  private long fixed64(int end) {
    if (end - at < Long.BYTES) {
      isPlain = false;
      at = end;
      return 0;
    }
    long value = (long) LITTLE_ENDIAN.get(bytes, at);
    at += Long.BYTES;
    return value;
  }
}
