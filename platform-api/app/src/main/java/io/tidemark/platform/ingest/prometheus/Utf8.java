package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.ByteString;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Text that is not UTF-8 would make the whole record unreadable for readers of protobuf. */
final class Utf8 {

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  static boolean isValid(byte[] bytes, int start, int size) {
    return isAscii(bytes, start, size) || ByteString.copyFrom(bytes, start, size).isValidUtf8();
  }

  static boolean isAscii(byte[] bytes, int start, int size) {
    int end = start + size;
    if (size < Long.BYTES) {
      int all = 0;
      for (int at = start; at < end; at++) {
        all |= bytes[at];
      }
      return all >= 0;
    }
    // The last eight may be some of those before them once more.
    long all = (long) EIGHT.get(bytes, end - Long.BYTES);
    for (int at = start; at < end - Long.BYTES; at += Long.BYTES) {
      all |= (long) EIGHT.get(bytes, at);
    }
    return (all & HIGH_BITS) == 0;
  }
}
