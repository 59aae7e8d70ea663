package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.util.Arrays;

/** One series as it lies in the body: its labels, and where its points are. Reused. */
final class SeriesDraft {

  private static final int SAMPLES = 2;
  private static final int METADATA = 5;
  private static final int CREATED = 6;
  private static final int TYPE = 1;
  private static final int HELP = 3;
  private static final int UNIT = 4;

  private static final int LABELS = LabelForm.FIELD << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

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

  private final byte[] body;
  private final RemoteWriteVersion version;
  private final LabelForm form;
  private final SeriesLabels labels;
  private final KnownSeries knownSeries;

  /** Where its labels are, when they can be remembered: all at its beginning. */
  private int labelsAt;

  private int labelsSize;
  private long labelsHash;
  private KnownSeries.Series known;

  SeriesDraft(
      byte[] body,
      RemoteWriteVersion version,
      LabelForm form,
      SeriesLabels labels,
      KnownSeries knownSeries) {
    this.body = body;
    this.version = version;
    this.form = form;
    this.labels = labels;
    this.knownSeries = knownSeries;
  }

  /** What is remembered of its labels; null when nothing is. */
  KnownSeries.Series known() {
    return known;
  }

  /** Its labels, read only now when something is remembered of them. */
  SeriesLabels labels() throws InvalidProtocolBufferException {
    if (known != null && labels.isEmpty()) {
      WireReader in = new WireReader(body);
      in.goTo(labelsAt, labelsSize);
      readLabels(in);
    }
    return labels;
  }

  /** Whether its labels can be remembered, are not yet, and came before. */
  boolean isToBeRemembered() {
    return known == null && labelsSize > 0 && knownSeries.cameBefore(labelsHash);
  }

  /** Remembers what its labels became. */
  void remember(byte[] resource, byte[] head, PointKind kind, byte[] attributes) {
    byte[] bytes = Arrays.copyOfRange(body, labelsAt, labelsAt + labelsSize);
    knownSeries.remember(
        new KnownSeries.Series(labelsHash, bytes, resource, head, kind, attributes));
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
    known = null;
    labelsSize = 0;
    if (version == RemoteWriteVersion.V1) {
      recognize(in);
    }
    while (!in.isAtEnd()) {
      int tag = in.tag();
      int field = WireFormat.getTagFieldNumber(tag);
      int wire = WireFormat.getTagWireType(tag);
      if (field == LabelForm.FIELD) {
        labels();
        known = null;
        labelsSize = 0;
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

  /** Reads the labels at the beginning, unless they are known. */
  private void recognize(WireReader in) throws InvalidProtocolBufferException {
    int start = in.position();
    int end = in.end();
    in.passAll(LABELS);
    int after = in.position();
    if (!knownSeries.takes(after - start)) {
      in.goTo(start, end - start);
      return;
    }
    labelsAt = start;
    labelsSize = after - start;
    labelsHash = SeededHash.of(body, labelsAt, labelsSize);
    known = knownSeries.find(labelsHash, body, labelsAt, labelsSize);
    if (known == null) {
      in.goTo(start, labelsSize);
      readLabels(in);
      in.goTo(after, end - after);
    }
  }

  private void readLabels(WireReader in) throws InvalidProtocolBufferException {
    while (!in.isAtEnd()) {
      form.read(in, in.tag(), labels);
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
