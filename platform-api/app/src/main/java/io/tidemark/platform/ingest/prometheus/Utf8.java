package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.ByteString;

/** Text that is not UTF-8 would make the whole record unreadable for readers of protobuf. */
final class Utf8 {

  private Utf8() {}

  static boolean isValid(byte[] bytes, int start, int size) {
    for (int i = start; i < start + size; i++) {
      if (bytes[i] < 0) {
        return ByteString.copyFrom(bytes, start, size).isValidUtf8();
      }
    }
    return true;
  }
}
