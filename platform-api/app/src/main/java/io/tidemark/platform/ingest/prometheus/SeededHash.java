package io.tidemark.platform.ingest.prometheus;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * A hash of bytes with secrets of the process, so that no sender can choose bytes that all fall on
 * one place.
 */
final class SeededHash {

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long FIRST_SECRET = new SecureRandom().nextLong() | 1;
  private static final long SECOND_SECRET = new SecureRandom().nextLong() | 1;

  private SeededHash() {}

  static long of(byte[] bytes, int start, int size) {
    long one = FIRST_SECRET ^ size;
    long other = SECOND_SECRET;
    int at = start;
    int end = start + size;
    // Two at a time: neither has to wait for the other.
    for (; at <= end - 2 * Long.BYTES; at += 2 * Long.BYTES) {
      one = mixed(one ^ (long) EIGHT.get(bytes, at));
      other = mixed(other ^ (long) EIGHT.get(bytes, at + Long.BYTES));
    }
    if (at <= end - Long.BYTES) {
      one = mixed(one ^ (long) EIGHT.get(bytes, at));
      at += Long.BYTES;
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = rest << Byte.SIZE | bytes[at] & 0xFF;
    }
    return mixed(one ^ Long.rotateLeft(other, 31) ^ mixed(rest ^ SECOND_SECRET));
  }

  private static long mixed(long value) {
    return value * FIRST_SECRET
        ^ Math.multiplyHigh(value, FIRST_SECRET)
        ^ Long.rotateLeft(value ^ SECOND_SECRET, 29);
  }
}
