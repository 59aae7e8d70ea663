package io.tidemark.flink.io.points.fastdecode;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A place in bytes of protobuf, and the steps from there. Whatever is unusual ends the scan. */
abstract class ProtobufCursor {

  /** Parts are parsed apart from their batch; staying well below the parser's depth is safe. */
  private static final int DEPTH = 50;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  byte[] bytes = new byte[0];
  int at;

  final void expect(int tag) throws FastPathMissException {
    if (bytes[at] != tag) {
      throw FastPathMissException.INSTANCE;
    }
    at++;
  }

  final void skipMessage(int end) throws FastPathMissException {
    at++;
    at = length(end);
  }

  /** Reads a length; returns where the content ends, at most {@code end}. */
  final int length(int end) throws FastPathMissException {
    int length = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      if (at >= end) {
        throw FastPathMissException.INSTANCE;
      }
      byte next = bytes[at++];
      length |= (next & 0x7f) << shift;
      if (next >= 0) {
        if (length > end - at) {
          throw FastPathMissException.INSTANCE;
        }
        return at + length;
      }
    }
    throw FastPathMissException.INSTANCE;
  }

  final long fixed64(int end) throws FastPathMissException {
    if (end - at < Long.BYTES) {
      throw FastPathMissException.INSTANCE;
    }
    long value = (long) LONGS.get(bytes, at);
    at += Long.BYTES;
    return value;
  }

  final double fixedDouble(int end) throws FastPathMissException {
    return Double.longBitsToDouble(fixed64(end));
  }

  final long varint(int end) throws FastPathMissException {
    byte[] source = bytes;
    int from = at;
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (from >= end) {
        throw FastPathMissException.INSTANCE;
      }
      byte next = source[from++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        at = from;
        return value;
      }
    }
    throw FastPathMissException.INSTANCE;
  }

  /** A number of type sint32, in the shortest form or nearly. */
  final int signed(int end) throws FastPathMissException {
    long bits = varint(end);
    if (bits >>> Integer.SIZE != 0) {
      throw FastPathMissException.INSTANCE;
    }
    return (int) (bits >>> 1) ^ -(int) (bits & 1);
  }

  final <T> T parse(Parser<T> parser, int from, int to) throws FastPathMissException {
    CodedInputStream part = CodedInputStream.newInstance(bytes, from, to - from);
    part.setRecursionLimit(DEPTH);
    try {
      T message = parser.parseFrom(part);
      part.checkLastTagWas(0);
      return message;
    } catch (InvalidProtocolBufferException e) {
      throw FastPathMissException.INSTANCE;
    }
  }
}
