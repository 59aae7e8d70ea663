package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;

/** How labels are written. In both versions they are field 1 of a series and of an exemplar. */
sealed interface LabelForm {

  /** The field of labels, in series and exemplars. */
  int FIELD = 1;

  /**
   * Reads the content of one field of labels.
   *
   * @param tag the tag just read; its number is {@link #FIELD}
   */
  void read(WireReader in, int tag, SeriesLabels labels) throws InvalidProtocolBufferException;

  /**
   * Reads the labels that come next and are as nearly all are, in fewer steps than one by one;
   * stops before the first that is not.
   */
  default void readPlain(WireReader in, SeriesLabels labels) {}

  /** Remote write 1.0: a message of two texts for every label. */
  record Written(byte[] body) implements LabelForm {

    /** Bytes of a label of empty texts, with its tag. */
    private static final int SMALLEST = 6;

    private static final int LABEL = FIELD << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int NAME = 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int VALUE = 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    @Override
    public void readPlain(WireReader in, SeriesLabels labels) {
      int at = in.position();
      int end = in.end();
      while (end - at >= SMALLEST && body[at] == LABEL) {
        int size = body[at + 1];
        int next = at + 2 + size;
        if (size < SMALLEST - 2 || next > end || body[at + 2] != NAME) {
          break;
        }
        int nameAt = at + 4;
        int nameSize = body[at + 3];
        int valueAt = nameAt + nameSize + 2;
        if (nameSize < 0 || valueAt > next || body[valueAt - 2] != VALUE) {
          break;
        }
        int valueSize = body[valueAt - 1];
        if (valueSize != next - valueAt || !Utf8.isAscii(body, nameAt, next - nameAt)) {
          break;
        }
        labels.add(nameAt, nameSize, valueAt, valueSize);
        at = next;
      }
      in.goOnAt(at);
    }

    @Override
    public void read(WireReader in, int tag, SeriesLabels labels)
        throws InvalidProtocolBufferException {
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        in.skip(tag);
        return;
      }
      int outer = in.enter();
      int start = in.position();
      int nameAt = 0;
      int nameSize = 0;
      int valueAt = 0;
      int valueSize = 0;
      while (!in.isAtEnd()) {
        int part = in.tag();
        if (part == NAME) {
          nameSize = in.size();
          nameAt = in.position();
          in.pass(nameSize);
        } else if (part == VALUE) {
          valueSize = in.size();
          valueAt = in.position();
          in.pass(valueSize);
        } else {
          in.skip(part);
        }
      }
      in.leave(outer);
      if (Utf8.isAscii(body, start, in.position() - start)
          || (Utf8.isValid(body, nameAt, nameSize) && Utf8.isValid(body, valueAt, valueSize))) {
        labels.add(nameAt, nameSize, valueAt, valueSize);
      } else {
        labels.spoil();
      }
    }
  }

  /** Remote write 2.0: pairs of references to the symbols, packed or one by one. */
  final class Referred implements LabelForm {

    private final byte[] body;
    private final SymbolTable symbols;
    private boolean nameIsRead;
    private int name;

    Referred(byte[] body, SymbolTable symbols) {
      this.body = body;
      this.symbols = symbols;
    }

    @Override
    public void read(WireReader in, int tag, SeriesLabels labels)
        throws InvalidProtocolBufferException {
      if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
        reference(in.number32(), labels);
        return;
      }
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        in.skip(tag);
        return;
      }
      int outer = in.enter();
      int at = in.position();
      int end = in.end();
      while (at < end) {
        int reference = body[at++];
        if (reference < 0 && at < end && body[at] >= 0) {
          reference = reference & 0x7F | body[at++] << 7;
        } else if (reference < 0) {
          in.goOnAt(at - 1);
          reference = in.number32();
          at = in.position();
        }
        reference(reference, labels);
      }
      in.goOnAt(end);
      in.leave(outer);
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
