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
    int at = start;
    int end = start + size;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      if (((long) EIGHT.get(bytes, at) & HIGH_BITS) != 0) {
        return false;
      }
    }
    for (; at < end; at++) {
      if (bytes[at] < 0) {
        return false;
      }
    }
    return true;
  }
}
