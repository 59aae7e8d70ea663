package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.tidemark.contracts.prometheus.Histogram;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.ingest.domain.Rejections;
import io.tidemark.platform.ingest.prometheus.RemoteWriteDecoder.Written;
import java.io.IOException;
import java.util.Optional;

/** Turns series after series into points of OTLP, and counts what is refused. */
final class SeriesMapping {

  private static final int VALUE = 1 << 3 | WireFormat.WIRETYPE_FIXED64;
  private static final int TIMESTAMP = 2 << 3 | WireFormat.WIRETYPE_VARINT;
  private static final int START = 3 << 3 | WireFormat.WIRETYPE_VARINT;

  /** It becomes an object as a whole. */
  private static final int GREATEST_HISTOGRAM = 256 * 1024;

  private final byte[] body;
  private final RemoteWriteLimits limits;
  private final PointRules rules;
  private final SymbolTable symbols;
  private final ExemplarMapping exemplar;
  private final OtlpAssembly assembly;
  private final Rejections rejections = new Rejections();
  private final ProtobufBytes resource = new ProtobufBytes(256);
  private final ProtobufBytes head = new ProtobufBytes(256);
  private final ProtobufBytes attributes = new ProtobufBytes(1024);
  private final ProtobufBytes exemplars = new ProtobufBytes(256);
  private final ProtobufBytes oneExemplar = new ProtobufBytes(128);
  private final ProtobufBytes point = new ProtobufBytes(1024);

  /**
   * Of the series at hand: whether resource and head are written, and attributes for which field.
   */
  private boolean named;

  private int attributesField;
  private long firstExemplar;
  private int exemplarsRead;

  private double value;
  private long time;
  private long start;

  private long samplesWritten;
  private long histogramsWritten;
  private long exemplarsWritten;
  private long carriers;

  SeriesMapping(
      byte[] body,
      RemoteWriteLimits limits,
      PointRules rules,
      SymbolTable symbols,
      ExemplarMapping exemplar) {
    this.body = body;
    this.limits = limits;
    this.rules = rules;
    this.symbols = symbols;
    this.exemplar = exemplar;
    this.assembly = new OtlpAssembly(limits.record());
  }

  Rejections rejections() {
    return rejections;
  }

  Written written() {
    return new Written(samplesWritten, histogramsWritten, exemplarsWritten);
  }

  /** Points in the record: samples, histograms, and those that only carry exemplars. */
  long points() {
    return samplesWritten + histogramsWritten + carriers;
  }

  byte[] record() {
    return assembly.record();
  }

  void take(SeriesDraft series) throws IOException {
    int parts = series.samples.count() + series.histograms.count() + series.exemplars.count();
    if (parts == 0) {
      return;
    }
    Optional<RejectionReason> fault = series.labels.faultOfSeries();
    if (fault.isPresent()) {
      rejections.add(fault.get(), parts, series.labels.metricName());
      return;
    }
    named = false;
    attributesField = 0;
    readExemplars(series);
    PointKind kind =
        series.histograms.count() > 0
            ? PointKind.EXPONENTIAL_HISTOGRAM
            : PointKind.ofSamples(series.type, series.labels);
    for (int i = 0; i < series.samples.count(); i++) {
      sample(series, i, kind);
    }
    for (int i = 0; i < series.histograms.count(); i++) {
      histogram(series, i);
    }
    if (exemplarsRead > 0) {
      carry(series, kind);
    }
  }

  private void sample(SeriesDraft series, int index, PointKind kind) throws IOException {
    readSample(series.samples.start(index), series.samples.size(index));
    if (start == 0) {
      start = Milliseconds.startToNanos(series.created);
    }
    Optional<RejectionReason> fault = rules.time(time);
    if (fault.isEmpty() && Double.isInfinite(value)) {
      fault = Optional.of(RejectionReason.VALUE_NOT_FINITE);
    }
    if (fault.isPresent()) {
      rejections.add(fault.get(), 1, series.labels.metricName());
      return;
    }
    number(series, kind);
    samplesWritten++;
  }

  /** A stale marker, and any other value that is no number, is a point without a value. */
  private void number(SeriesDraft series, PointKind kind) throws IOException {
    point.clear();
    if (start != 0) {
      point.fixed64(NumberDataPoint.START_TIME_UNIX_NANO_FIELD_NUMBER, start);
    }
    point.fixed64(NumberDataPoint.TIME_UNIX_NANO_FIELD_NUMBER, time);
    boolean hasValue = !Double.isNaN(value);
    if (hasValue) {
      point.real(NumberDataPoint.AS_DOUBLE_FIELD_NUMBER, value);
    }
    writeExemplars(kind);
    point.raw(attributes(series, kind));
    if (!hasValue) {
      point.varint(NumberDataPoint.FLAGS_FIELD_NUMBER, PointKind.NO_RECORDED_VALUE);
    }
    add(series, kind);
  }

  private void readSample(int at, int size) throws IOException {
    value = 0;
    time = 0;
    start = 0;
    CodedInputStream in = RemoteWriteWalk.input(body, at, size);
    while (!in.isAtEnd()) {
      int tag = in.readTag();
      if (tag == VALUE) {
        value = in.readDouble();
      } else if (tag == TIMESTAMP) {
        time = Milliseconds.toNanos(in.readRawVarint64());
      } else if (tag == START) {
        start = Milliseconds.startToNanos(in.readRawVarint64());
      } else {
        RemoteWriteWalk.skip(in, tag);
      }
    }
  }

  private void histogram(SeriesDraft series, int index) throws IOException {
    int size = series.histograms.size(index);
    if (size > GREATEST_HISTOGRAM) {
      throw new InvalidProtocolBufferException(
          "a native histogram has more than " + GREATEST_HISTOGRAM + " bytes");
    }
    CodedInputStream in = RemoteWriteWalk.input(body, series.histograms.start(index), size);
    Histogram message = Histogram.parseFrom(in);
    in.checkLastTagWas(0);
    NativeHistogram histogram = new NativeHistogram(message, limits);
    long at = Milliseconds.toNanos(message.getTimestamp());
    Optional<RejectionReason> fault = rules.time(at).or(() -> histogram.fault(rules));
    if (fault.isPresent()) {
      rejections.add(fault.get(), 1, series.labels.metricName());
      return;
    }
    long since = Milliseconds.startToNanos(message.getStartTimestamp());
    byte[] encoded =
        histogram.point(since == 0 ? Milliseconds.startToNanos(series.created) : since, at);
    PointKind kind = histogram.kind();
    point.clear();
    point.raw(encoded, 0, encoded.length);
    writeExemplars(kind);
    point.raw(attributes(series, kind));
    add(series, kind);
    histogramsWritten++;
  }

  /** Exemplars go with the first accepted point of their series in the request. */
  private void readExemplars(SeriesDraft series) throws IOException {
    exemplars.clear();
    exemplarsRead = 0;
    for (int i = 0; i < series.exemplars.count(); i++) {
      CodedInputStream in =
          RemoteWriteWalk.input(body, series.exemplars.start(i), series.exemplars.size(i));
      exemplar.read(in);
      Optional<RejectionReason> fault = exemplar.fault(rules);
      if (fault.isPresent()) {
        rejections.add(fault.get(), 1, series.labels.metricName());
        continue;
      }
      if (exemplarsRead == 0) {
        firstExemplar = exemplar.time();
      }
      oneExemplar.clear();
      exemplar.writeTo(oneExemplar);
      exemplars.varint(oneExemplar.length());
      exemplars.raw(oneExemplar);
      exemplarsRead++;
      exemplarsFit();
    }
  }

  private void exemplarsFit() throws IOException {
    if (exemplars.length() > limits.record()) {
      throw new InvalidProtocolBufferException(
          "the exemplars of a series have more than " + limits.record() + " bytes");
    }
  }

  private void writeExemplars(PointKind kind) throws IOException {
    if (exemplarsRead == 0) {
      return;
    }
    CodedInputStream in = CodedInputStream.newInstance(exemplars.array(), 0, exemplars.length());
    while (!in.isAtEnd()) {
      int size = in.readRawVarint32();
      point.delimited(kind.exemplars, exemplars.array(), in.getTotalBytesRead(), size);
      in.skipRawBytes(size);
    }
    exemplarsWritten += exemplarsRead;
    exemplarsRead = 0;
  }

  /**
   * Prometheus sends exemplars apart from their samples; OTLP has them in points only. So a point
   * without a value carries them.
   */
  private void carry(SeriesDraft series, PointKind kind) throws IOException {
    start = 0;
    time = firstExemplar;
    value = Double.NaN;
    number(series, kind == PointKind.COUNTER ? PointKind.COUNTER : PointKind.GAUGE);
    carriers++;
  }

  private ProtobufBytes attributes(SeriesDraft series, PointKind kind) {
    if (attributesField != kind.attributes) {
      attributes.clear();
      series.labels.writePointAttributes(attributes, kind.attributes);
      attributesField = kind.attributes;
    }
    return attributes;
  }

  private void add(SeriesDraft series, PointKind kind) throws IOException {
    if (!named) {
      resource.clear();
      series.labels.writeResource(resource);
      head.clear();
      series.labels.writeMetricName(head, Metric.NAME_FIELD_NUMBER);
      symbol(series.help, Metric.DESCRIPTION_FIELD_NUMBER);
      symbol(series.unit, Metric.UNIT_FIELD_NUMBER);
      named = true;
    }
    assembly.part(resource, kind, head).add(point);
  }

  /** Help and unit are left out when they are no UTF-8 or as long as no label may be. */
  private void symbol(int reference, int field) throws IOException {
    if (reference == 0) {
      return;
    }
    int size = symbols.size(reference);
    if (size > 0 && size <= limits.value()) {
      head.delimited(field, body, symbols.start(reference), size);
    }
  }
}
