package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** How labels are written. In both versions they are field 1 of a series and of an exemplar. */
sealed interface LabelForm {

  /** The field of labels, in series and exemplars. */
  int FIELD = 1;

  /**
   * Reads the content of one field of labels.
   *
   * @param tag the tag just read; its number is {@link #FIELD}
   */
  void read(CodedInputStream in, int tag, SeriesLabels labels) throws IOException;

  /** Remote write 1.0: a message of two texts for every label. */
  record Written(byte[] body) implements LabelForm {

    private static final int NAME = 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int VALUE = 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    @Override
    public void read(CodedInputStream in, int tag, SeriesLabels labels) throws IOException {
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        RemoteWriteWalk.skip(in, tag);
        return;
      }
      int outer = in.pushLimit(in.readRawVarint32());
      int nameAt = 0;
      int nameSize = 0;
      int valueAt = 0;
      int valueSize = 0;
      while (!in.isAtEnd()) {
        int part = in.readTag();
        if (part == NAME) {
          nameSize = in.readRawVarint32();
          nameAt = in.getTotalBytesRead();
          in.skipRawBytes(nameSize);
        } else if (part == VALUE) {
          valueSize = in.readRawVarint32();
          valueAt = in.getTotalBytesRead();
          in.skipRawBytes(valueSize);
        } else {
          RemoteWriteWalk.skip(in, part);
        }
      }
      in.popLimit(outer);
      if (Utf8.isValid(body, nameAt, nameSize) && Utf8.isValid(body, valueAt, valueSize)) {
        labels.add(nameAt, nameSize, valueAt, valueSize);
      } else {
        labels.spoil();
      }
    }
  }

  /** Remote write 2.0: pairs of references to the symbols, packed or one by one. */
  final class Referred implements LabelForm {

    private final SymbolTable symbols;
    private boolean nameIsRead;
    private int name;

    Referred(SymbolTable symbols) {
      this.symbols = symbols;
    }

    @Override
    public void read(CodedInputStream in, int tag, SeriesLabels labels) throws IOException {
      if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
        reference(in.readRawVarint32(), labels);
        return;
      }
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        RemoteWriteWalk.skip(in, tag);
        return;
      }
      int outer = in.pushLimit(in.readRawVarint32());
      while (!in.isAtEnd()) {
        reference(in.readRawVarint32(), labels);
      }
      in.popLimit(outer);
    }

    private void reference(int reference, SeriesLabels labels)
        throws InvalidProtocolBufferException {
      if (!nameIsRead) {
        name = reference;
        nameIsRead = true;
        return;
      }
      nameIsRead = false;
      int nameSize = symbols.size(name);
      int valueSize = symbols.size(reference);
      if (nameSize < 0 || valueSize < 0) {
        labels.spoil();
      } else {
        labels.add(symbols.start(name), nameSize, symbols.start(reference), valueSize);
      }
    }

    /** To be called where a series or exemplar ends. */
    void end() throws InvalidProtocolBufferException {
      if (nameIsRead) {
        throw new InvalidProtocolBufferException("a label has a name and no value");
      }
    }
  }

  /** Nothing may be left over where a series or exemplar ends. */
  default void finish() throws InvalidProtocolBufferException {
    if (this instanceof Referred referred) {
      referred.end();
    }
  }
}
