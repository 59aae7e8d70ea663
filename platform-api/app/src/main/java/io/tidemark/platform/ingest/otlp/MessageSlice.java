package io.tidemark.platform.ingest.otlp;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An encoded protobuf message within a larger array. Lets a request be walked point by point: as
 * one tree of objects, a request of 16 MiB can take half a gigabyte.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MessageSlice(byte[] bytes, int offset, int length) {

  /** Nothing that is turned into objects at once may be longer; resources and points are short. */
  static final int MAX_PART = 256 * 1024;

  /** Leaves room for the levels above the parts, so that whoever reads the whole does not fail. */
  private static final int MAX_DEPTH = 80;

  /** Decides about one child. */
  interface Decision {

    /** The child itself to keep it, another slice to replace it, null to leave it out. */
    @Nullable MessageSlice of(MessageSlice child) throws IOException;
  }

  static MessageSlice of(byte[] bytes) {
    return new MessageSlice(bytes, 0, bytes.length);
  }

  /** The message as an object; only for parts that are known to be short. */
  <M extends MessageLite> M parse(Parser<M> parser) throws IOException {
    if (length > MAX_PART) {
      throw new InvalidProtocolBufferException(
          "a resource, scope, metric head or data point has more than " + MAX_PART + " bytes");
    }
    CodedInputStream in = input();
    M message = parser.parseFrom(in);
    in.checkLastTagWas(0);
    return message;
  }

  /** This message without its children in the given fields. */
  MessageSlice without(int... fields) throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    CodedInputStream in = input();
    while (!in.isAtEnd()) {
      int start = in.getTotalBytesRead();
      int tag = in.readTag();
      skip(in, tag);
      if (!isChild(tag, fields)) {
        rest.write(bytes, offset + start, in.getTotalBytesRead() - start);
      }
    }
    return of(rest.toByteArray());
  }

  /** How many children there are in the given fields. */
  int count(int... fields) throws IOException {
    int number = 0;
    CodedInputStream in = input();
    while (!in.isAtEnd()) {
      int tag = in.readTag();
      skip(in, tag);
      if (isChild(tag, fields)) {
        number++;
      }
    }
    return number;
  }

  /** The number of the first of the given fields that has a child; 0 when none has. */
  int firstOf(int... fields) throws IOException {
    CodedInputStream in = input();
    while (!in.isAtEnd()) {
      int tag = in.readTag();
      if (isChild(tag, fields)) {
        return WireFormat.getTagFieldNumber(tag);
      }
      skip(in, tag);
    }
    return 0;
  }

  /**
   * This message with the children of a field kept, replaced or left out: itself when all are kept,
   * null when there were children and none is left.
   */
  @Nullable MessageSlice filter(int field, Decision decision) throws IOException {
    ByteArrayOutputStream changed = null;
    boolean left = false;
    CodedInputStream in = input();
    while (!in.isAtEnd()) {
      int start = in.getTotalBytesRead();
      int tag = in.readTag();
      if (!isChild(tag, field)) {
        skip(in, tag);
        if (changed != null) {
          changed.write(bytes, offset + start, in.getTotalBytesRead() - start);
        }
        continue;
      }
      int size = in.readRawVarint32();
      MessageSlice child = new MessageSlice(bytes, offset + in.getTotalBytesRead(), size);
      in.skipRawBytes(size);
      MessageSlice kept = decision.of(child);
      left |= kept != null;
      if (changed == null && !child.is(kept)) {
        changed = new ByteArrayOutputStream();
        changed.write(bytes, offset, start);
      }
      if (changed != null && kept != null) {
        kept.writeTo(changed, field);
      }
    }
    if (changed == null) {
      return this;
    }
    return left ? of(changed.toByteArray()) : null;
  }

  /** Whether the other is this very slice of this very array. */
  boolean is(@Nullable MessageSlice other) {
    return other != null
        && other.bytes == bytes
        && other.offset == offset
        && other.length == length;
  }

  private void writeTo(ByteArrayOutputStream out, int field) throws IOException {
    CodedOutputStream head = CodedOutputStream.newInstance(out, 16);
    head.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    head.writeUInt32NoTag(length);
    head.flush();
    out.write(bytes, offset, length);
  }

  private CodedInputStream input() {
    CodedInputStream in = CodedInputStream.newInstance(bytes, offset, length);
    in.setRecursionLimit(MAX_DEPTH);
    return in;
  }

  private static boolean isChild(int tag, int... fields) {
    for (int field : fields) {
      if (tag == (field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED)) {
        return true;
      }
    }
    return false;
  }

  private static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      throw new InvalidProtocolBufferException("a group ends that did not begin");
    }
  }
}
