package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import java.util.HexFormat;
import java.util.Optional;

/** One exemplar of remote write to one of OTLP. Reused for the next one. */
final class ExemplarMapping {

  private static final byte[] TRACE = SeriesLabels.ascii("trace_id");
  private static final byte[] SPAN = SeriesLabels.ascii("span_id");
  private static final byte[] NONE = new byte[0];
  private static final int VALUE = 2 << 3 | WireFormat.WIRETYPE_FIXED64;
  private static final int TIMESTAMP = 3 << 3 | WireFormat.WIRETYPE_VARINT;

  private final SeriesLabels labels;
  private final LabelForm form;
  private double value;
  private long timestamp;

  ExemplarMapping(SeriesLabels labels, LabelForm form) {
    this.labels = labels;
    this.form = form;
  }

  /** Reads the exemplar that the input is at, to its end. */
  void read(WireReader in) throws InvalidProtocolBufferException {
    labels.clear();
    value = 0;
    timestamp = 0;
    while (!in.isAtEnd()) {
      int tag = in.tag();
      if (WireFormat.getTagFieldNumber(tag) == LabelForm.FIELD) {
        form.read(in, tag, labels);
      } else if (tag == VALUE) {
        value = in.real();
      } else if (tag == TIMESTAMP) {
        timestamp = in.number();
      } else {
        in.skip(tag);
      }
    }
    form.finish();
  }

  /** Why it cannot be taken. It must have a time; its value may be any number. */
  Optional<RejectionReason> fault(PointRules rules) {
    Optional<RejectionReason> time = rules.time(time());
    if (time.isPresent()) {
      return time;
    }
    return labels.fitExemplar() ? Optional.empty() : Optional.of(RejectionReason.LABEL_INVALID);
  }

  /** Nanoseconds since the Unix epoch. */
  long time() {
    return Milliseconds.toNanos(timestamp);
  }

  /** Writes it as an exemplar of a point of OTLP. */
  void writeTo(ProtobufBytes content) {
    content.fixed64(Exemplar.TIME_UNIX_NANO_FIELD_NUMBER, time());
    content.real(Exemplar.AS_DOUBLE_FIELD_NUMBER, value);
    byte[] span = identifier(SPAN, 8);
    byte[] trace = identifier(TRACE, 16);
    if (span.length > 0) {
      content.delimited(Exemplar.SPAN_ID_FIELD_NUMBER, span, 0, span.length);
    }
    if (trace.length > 0) {
      content.delimited(Exemplar.TRACE_ID_FIELD_NUMBER, trace, 0, trace.length);
    }
    labels.writeAttributesWithout(
        content,
        Exemplar.FILTERED_ATTRIBUTES_FIELD_NUMBER,
        trace.length > 0 ? TRACE : NONE,
        span.length > 0 ? SPAN : NONE);
  }

  /** A label that is an identifier of so many bytes in hexadecimal; any other stays a label. */
  private byte[] identifier(byte[] label, int length) {
    return labels
        .value(label)
        .filter(text -> text.length() == 2 * length)
        .filter(text -> text.chars().allMatch(HexFormat::isHexDigit))
        .map(text -> HexFormat.of().parseHex(text))
        .orElse(NONE);
  }
}
