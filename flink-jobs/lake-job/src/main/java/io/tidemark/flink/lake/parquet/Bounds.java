package io.tidemark.flink.lake.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Counts and least and greatest value of one leaf, over the row groups of a file. */
final class Bounds {

  long values;
  long nulls;
  long nans;
  long compressedSize;
  byte @Nullable [] least;
  byte @Nullable [] max;

  static Bounds ofWholes(long[] values, int count, boolean isInt) {
    Bounds bounds = new Bounds();
    if (count > 0) {
      long least = Long.MAX_VALUE;
      long max = Long.MIN_VALUE;
      for (int i = 0; i < count; i++) {
        least = Math.min(least, values[i]);
        max = Math.max(max, values[i]);
      }
      bounds.least = bytes(least, isInt);
      bounds.max = bytes(max, isInt);
    }
    return bounds;
  }

  /** NaN has no order; the sign of zero is lost on purpose, as the format demands. */
  static Bounds ofDoubles(double[] values, int count) {
    Bounds bounds = new Bounds();
    double least = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      double value = values[i];
      if (Double.isNaN(value)) {
        bounds.nans++;
      } else {
        least = Math.min(least, value);
        max = Math.max(max, value);
      }
    }
    if (bounds.nans < count) {
      bounds.least = bytes(Double.doubleToLongBits(least == 0 ? -0.0 : least), false);
      bounds.max = bytes(Double.doubleToLongBits(max == 0 ? 0.0 : max), false);
    }
    return bounds;
  }

  static Bounds ofTexts(byte[] @Nullable [] texts) {
    Bounds bounds = new Bounds();
    for (byte[] text : texts) {
      if (text != null) {
        bounds.include(text);
      }
    }
    return bounds;
  }

  /** Adds another row group of the same leaf. */
  void add(Bounds other, Kind kind) {
    values += other.values;
    nulls += other.nulls;
    nans += other.nans;
    compressedSize += other.compressedSize;
    if (other.least == null || other.max == null) {
      return;
    }
    if (least == null || compare(other.least, least, kind) < 0) {
      least = other.least;
    }
    if (max == null || compare(other.max, max, kind) > 0) {
      max = other.max;
    }
  }

  /** How bounds are ordered. */
  enum Kind {
    TEXT,
    WHOLE,
    DOUBLE
  }

  private void include(byte[] text) {
    if (least == null || Arrays.compareUnsigned(text, least) < 0) {
      least = text;
    }
    if (max == null || Arrays.compareUnsigned(text, max) > 0) {
      max = text;
    }
  }

  private static int compare(byte[] one, byte[] other, Kind kind) {
    return switch (kind) {
      case TEXT -> Arrays.compareUnsigned(one, other);
      case WHOLE -> Long.compare(whole(one), whole(other));
      case DOUBLE ->
          Double.compare(
              Double.longBitsToDouble(whole(one)), Double.longBitsToDouble(whole(other)));
    };
  }

  private static long whole(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.length == Integer.BYTES ? buffer.getInt() : buffer.getLong();
  }

  private static byte[] bytes(long value, boolean isInt) {
    ByteBuffer buffer =
        ByteBuffer.allocate(isInt ? Integer.BYTES : Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    if (isInt) {
      buffer.putInt((int) value);
    } else {
      buffer.putLong(value);
    }
    return buffer.array();
  }
}
