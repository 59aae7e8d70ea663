package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.Rejections;
import java.io.IOException;

/** One walk through one request: finds symbols, then series, and hands each series on. */
final class RemoteWriteWalk {

  private static final int SYMBOLS = 4 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final byte[] body;
  private final RemoteWriteVersion version;
  private final RemoteWriteLimits limits;
  private final SymbolTable symbols;
  private final SeriesMapping mapping;
  private final SeriesDraft series;

  RemoteWriteWalk(
      byte[] body, RemoteWriteVersion version, RemoteWriteLimits limits, PointRules rules) {
    this.body = body;
    this.version = version;
    this.limits = limits;
    this.symbols = new SymbolTable(body, limits.symbols());
    LabelForm form =
        version == RemoteWriteVersion.V1
            ? new LabelForm.Written(body)
            : new LabelForm.Referred(symbols);
    this.series = new SeriesDraft(new SeriesLabels(body, limits), version, form);
    this.mapping =
        new SeriesMapping(
            body,
            limits,
            rules,
            symbols,
            new ExemplarMapping(new SeriesLabels(body, limits), form));
  }

  /**
   * The OTLP request that it becomes.
   *
   * @throws IOException when the body is not a request, or passes a limit of requests
   */
  byte[] record() throws IOException {
    if (version == RemoteWriteVersion.V2) {
      // Nothing says that they come before the series.
      readSymbols();
    }
    int found = 0;
    CodedInputStream in = input(body, 0, body.length);
    int wanted = version.timeseries << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    while (!in.isAtEnd()) {
      int tag = in.readTag();
      if (tag != wanted) {
        skip(in, tag);
        continue;
      }
      if (++found > limits.series()) {
        throw new InvalidProtocolBufferException(
            "there are more than " + limits.series() + " series; send fewer in a request");
      }
      int outer = in.pushLimit(in.readRawVarint32());
      series.read(in);
      in.popLimit(outer);
      mapping.take(series);
    }
    return mapping.record();
  }

  private void readSymbols() throws IOException {
    CodedInputStream in = input(body, 0, body.length);
    while (!in.isAtEnd()) {
      int tag = in.readTag();
      if (tag == SYMBOLS) {
        int size = in.readRawVarint32();
        int start = in.getTotalBytesRead();
        in.skipRawBytes(size);
        symbols.add(start, size);
      } else {
        skip(in, tag);
      }
    }
  }

  Rejections rejections() {
    return mapping.rejections();
  }

  long points() {
    return mapping.points();
  }

  RemoteWriteDecoder.Written written() {
    return mapping.written();
  }

  static CodedInputStream input(byte[] bytes, int start, int size) {
    CodedInputStream in = CodedInputStream.newInstance(bytes, start, size);
    in.setRecursionLimit(8);
    return in;
  }

  static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      throw new InvalidProtocolBufferException("a group ends that did not begin");
    }
  }
}
