package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;

/** One series as it lies in the body: its labels, and where its points are. Reused. */
final class SeriesDraft {

  private static final int SAMPLES = 2;
  private static final int METADATA = 5;
  private static final int CREATED = 6;
  private static final int TYPE = 1;
  private static final int HELP = 3;
  private static final int UNIT = 4;

  final RangeList samples = new RangeList();
  final RangeList histograms = new RangeList();
  final RangeList exemplars = new RangeList();

  /** Of remote write 2.0; 0 is unspecified. */
  int type;

  /** References to symbols; 0 is none. */
  int help;

  int unit;

  /** Milliseconds since the Unix epoch; 0 is unknown. */
  long created;

  private final RemoteWriteVersion version;
  private final LabelForm form;
  private final SeriesLabels labels;

  SeriesDraft(RemoteWriteVersion version, LabelForm form, SeriesLabels labels) {
    this.version = version;
    this.form = form;
    this.labels = labels;
  }

  SeriesLabels labels() {
    return labels;
  }

  /** Reads the series that the input is at; entered already. */
  void read(WireReader in) throws InvalidProtocolBufferException {
    labels.clear();
    samples.clear();
    histograms.clear();
    exemplars.clear();
    type = 0;
    help = 0;
    unit = 0;
    created = 0;
    form.readPlain(in, labels);
    while (!in.isAtEnd()) {
      int tag = in.tag();
      int field = WireFormat.getTagFieldNumber(tag);
      int wire = WireFormat.getTagWireType(tag);
      if (field == LabelForm.FIELD) {
        form.read(in, tag, labels);
      } else if (wire == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        if (field == METADATA && version == RemoteWriteVersion.V2) {
          metadata(in);
        } else {
          int size = in.size();
          place(field, in.position(), size);
          in.pass(size);
        }
      } else if (version == RemoteWriteVersion.V2
          && field == CREATED
          && wire == WireFormat.WIRETYPE_VARINT) {
        created = in.number();
      } else {
        in.skip(tag);
      }
    }
    form.finish();
    if (version == RemoteWriteVersion.V2 && samples.count() > 0 && histograms.count() > 0) {
      throw new InvalidProtocolBufferException("a series has both samples and histograms");
    }
  }

  private void place(int field, int start, int size) {
    if (field == SAMPLES) {
      samples.add(start, size);
    } else if (field == version.histograms) {
      histograms.add(start, size);
    } else if (field == version.exemplars) {
      exemplars.add(start, size);
    }
  }

  private void metadata(WireReader in) throws InvalidProtocolBufferException {
    int outer = in.enter();
    while (!in.isAtEnd()) {
      int tag = in.tag();
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_VARINT) {
        in.skip(tag);
        continue;
      }
      int value = in.number32();
      switch (WireFormat.getTagFieldNumber(tag)) {
        case TYPE -> type = value;
        case HELP -> help = value;
        case UNIT -> unit = value;
        default -> {}
      }
    }
    in.leave(outer);
  }
}
