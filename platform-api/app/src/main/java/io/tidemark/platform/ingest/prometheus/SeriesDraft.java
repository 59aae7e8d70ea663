package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** One series as it lies in the body: its labels, and where its points are. Reused. */
final class SeriesDraft {

  private static final int SAMPLES = 2;
  private static final int METADATA = 5;
  private static final int CREATED = 6;
  private static final int TYPE = 1;
  private static final int HELP = 3;
  private static final int UNIT = 4;

  final SeriesLabels labels;
  final Places samples = new Places();
  final Places histograms = new Places();
  final Places exemplars = new Places();

  /** Of remote write 2.0; 0 is unspecified. */
  int type;

  /** References to symbols; 0 is none. */
  int help;

  int unit;

  /** Milliseconds since the Unix epoch; 0 is unknown. */
  long created;

  private final RemoteWriteVersion version;
  private final LabelForm form;

  SeriesDraft(SeriesLabels labels, RemoteWriteVersion version, LabelForm form) {
    this.labels = labels;
    this.version = version;
    this.form = form;
  }

  /** Reads the series that the input is at; its length has been read and pushed as limit. */
  void read(CodedInputStream in) throws IOException {
    labels.clear();
    samples.clear();
    histograms.clear();
    exemplars.clear();
    type = 0;
    help = 0;
    unit = 0;
    created = 0;
    while (!in.isAtEnd()) {
      int tag = in.readTag();
      int field = WireFormat.getTagFieldNumber(tag);
      int wire = WireFormat.getTagWireType(tag);
      if (field == LabelForm.FIELD) {
        form.read(in, tag, labels);
      } else if (wire == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        int size = in.readRawVarint32();
        int start = in.getTotalBytesRead();
        if (field == METADATA && version == RemoteWriteVersion.V2) {
          metadata(in, size);
        } else {
          in.skipRawBytes(size);
          place(field, start, size);
        }
      } else if (version == RemoteWriteVersion.V2
          && field == CREATED
          && wire == WireFormat.WIRETYPE_VARINT) {
        created = in.readRawVarint64();
      } else {
        RemoteWriteWalk.skip(in, tag);
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

  private void metadata(CodedInputStream in, int size) throws IOException {
    int outer = in.pushLimit(size);
    while (!in.isAtEnd()) {
      int tag = in.readTag();
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_VARINT) {
        RemoteWriteWalk.skip(in, tag);
        continue;
      }
      int value = in.readRawVarint32();
      switch (WireFormat.getTagFieldNumber(tag)) {
        case TYPE -> type = value;
        case HELP -> help = value;
        case UNIT -> unit = value;
        default -> {}
      }
    }
    in.popLimit(outer);
  }
}
