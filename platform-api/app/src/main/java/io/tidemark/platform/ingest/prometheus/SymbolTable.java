package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.InvalidProtocolBufferException;

/**
 * The texts of a request of remote write 2.0, as places in its body. Each is checked once, however
 * often it is referred to.
 */
final class SymbolTable {

  private static final int NOT_UTF_8 = -1;

  private final byte[] body;
  private final int limit;
  private final RangeList places = new RangeList();

  SymbolTable(byte[] body, int limit) {
    this.body = body;
    this.limit = limit;
  }

  void add(int start, int size) throws InvalidProtocolBufferException {
    if (places.count() == limit) {
      throw new InvalidProtocolBufferException(
          "there are more than " + limit + " symbols; send fewer series in a request");
    }
    if (places.count() == 0 && size != 0) {
      throw new InvalidProtocolBufferException("the first symbol must be the empty text");
    }
    places.add(start, Utf8.isValid(body, start, size) ? size : NOT_UTF_8);
  }

  /** Where the text begins. */
  int start(int reference) throws InvalidProtocolBufferException {
    return places.start(checked(reference));
  }

  /** Its length in bytes; negative when it is not UTF-8. */
  int size(int reference) throws InvalidProtocolBufferException {
    return places.size(checked(reference));
  }

  private int checked(int reference) throws InvalidProtocolBufferException {
    if (reference < 0 || reference >= places.count()) {
      throw new InvalidProtocolBufferException(
          "a reference leads outside of the " + places.count() + " symbols");
    }
    return reference;
  }
}
