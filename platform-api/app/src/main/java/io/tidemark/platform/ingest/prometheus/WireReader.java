package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the protobuf wire format in place. Nothing is taken that does not lie within the message
 * around it. Reused for other ranges of the same array.
 */
final class WireReader {

  private static final int MAX_DEPTH = 8;
  private static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private int at;
  private int end;

  /** A reader of the whole array. */
  WireReader(byte[] bytes) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  /** Goes to a message that lies in the array. */
  void goTo(int start, int size) {
    at = start;
    end = start + size;
  }

  boolean isAtEnd() {
    return at == end;
  }

  /** Where in the array the next byte is. */
  int position() {
    return at;
  }

  /** Where in the array the message at hand ends. */
  int end() {
    return end;
  }

  /** Goes on at a later place of the message at hand. */
  void goOnAt(int position) {
    at = position;
  }

  /** The next tag; there must be one. */
  int tag() throws InvalidProtocolBufferException {
    int tag = number32();
    if (WireFormat.getTagFieldNumber(tag) == 0) {
      throw new InvalidProtocolBufferException("a field has the number 0");
    }
    return tag;
  }

  /** The lower half of the next varint. */
  int number32() throws InvalidProtocolBufferException {
    return (int) number();
  }

  /** The next varint. */
  long number() throws InvalidProtocolBufferException {
    if (at < end && bytes[at] >= 0) {
      return bytes[at++];
    }
    return longNumber();
  }

  private long longNumber() throws InvalidProtocolBufferException {
    int next = at;
    long number = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (next == end) {
        throw endsEarly();
      }
      byte part = bytes[next++];
      number |= (part & 0x7FL) << shift;
      if (part >= 0) {
        at = next;
        return number;
      }
    }
    throw new InvalidProtocolBufferException("a number has more than ten bytes");
  }

  double real() throws InvalidProtocolBufferException {
    int start = at;
    pass(Double.BYTES);
    return Double.longBitsToDouble((long) LITTLE_ENDIAN.get(bytes, start));
  }

  /** The size of what comes next, all of which is there. */
  int size() throws InvalidProtocolBufferException {
    int size = number32();
    if (size < 0) {
      throw new InvalidProtocolBufferException("a size is negative");
    }
    if (size > end - at) {
      throw endsEarly();
    }
    return size;
  }

  /** Goes over bytes. */
  void pass(int size) throws InvalidProtocolBufferException {
    if (size > end - at) {
      throw endsEarly();
    }
    at += size;
  }

  /** Goes into the message whose size comes next, so that it ends where the message does. */
  int enter() throws InvalidProtocolBufferException {
    int size = size();
    int outer = end;
    end = at + size;
    return outer;
  }

  /** Comes out of a message at its end, with what {@link #enter} returned. */
  void leave(int outer) {
    end = outer;
  }

  /** Goes over the content of a field that nobody asks for. */
  void skip(int tag) throws InvalidProtocolBufferException {
    skip(tag, 0);
  }

  private void skip(int tag, int depth) throws InvalidProtocolBufferException {
    switch (WireFormat.getTagWireType(tag)) {
      case WireFormat.WIRETYPE_VARINT -> number();
      case WireFormat.WIRETYPE_FIXED64 -> pass(Long.BYTES);
      case WireFormat.WIRETYPE_FIXED32 -> pass(Integer.BYTES);
      case WireFormat.WIRETYPE_LENGTH_DELIMITED -> pass(size());
      case WireFormat.WIRETYPE_START_GROUP -> skipGroup(tag, depth);
      case WireFormat.WIRETYPE_END_GROUP ->
          throw new InvalidProtocolBufferException("a group ends that did not begin");
      default -> throw new InvalidProtocolBufferException("a field is of no known type");
    }
  }

  private void skipGroup(int begin, int depth) throws InvalidProtocolBufferException {
    if (depth == MAX_DEPTH) {
      throw new InvalidProtocolBufferException("groups lie too deep in one another");
    }
    int last = begin - WireFormat.WIRETYPE_START_GROUP + WireFormat.WIRETYPE_END_GROUP;
    for (int tag = tag(); tag != last; tag = tag()) {
      skip(tag, depth + 1);
    }
  }

  private static InvalidProtocolBufferException endsEarly() {
    return new InvalidProtocolBufferException("a message ends within a field");
  }
}
