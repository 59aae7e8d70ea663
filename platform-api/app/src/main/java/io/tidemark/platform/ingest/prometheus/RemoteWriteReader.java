package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.Rejections;
import java.io.IOException;

/** One walk through one request: finds symbols, then series, and hands each series on. */
final class RemoteWriteReader {

  private static final int SYMBOLS = 4 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final byte[] body;
  private final RemoteWriteVersion version;
  private final RemoteWriteLimits limits;
  private final SymbolTable symbols;
  private final SeriesMapping mapping;
  private final SeriesDraft series;

  /**
   * A walk through a body.
   *
   * @param points an empty buffer that this walk alone uses
   */
  RemoteWriteReader(
      byte[] body,
      RemoteWriteVersion version,
      RemoteWriteLimits limits,
      PointRules rules,
      ProtobufBytes points) {
    this.body = body;
    this.version = version;
    this.limits = limits;
    this.symbols = new SymbolTable(body, limits.symbols());
    LabelForm form =
        version == RemoteWriteVersion.V1
            ? new LabelForm.Written(body)
            : new LabelForm.Referred(body, symbols);
    this.series = new SeriesDraft(version, form, new SeriesLabels(body, limits));
    this.mapping =
        new SeriesMapping(
            body,
            limits,
            rules,
            symbols,
            new ExemplarMapping(new SeriesLabels(body, limits), form),
            points);
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
    WireReader in = new WireReader(body);
    int wanted = version.timeseries << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    while (!in.isAtEnd()) {
      int tag = in.tag();
      if (tag != wanted) {
        in.skip(tag);
        continue;
      }
      if (++found > limits.series()) {
        throw new InvalidProtocolBufferException(
            "there are more than " + limits.series() + " series; send fewer in a request");
      }
      int outer = in.enter();
      series.read(in);
      in.leave(outer);
      mapping.take(series);
    }
    return mapping.record();
  }

  private void readSymbols() throws IOException {
    WireReader in = new WireReader(body);
    while (!in.isAtEnd()) {
      int tag = in.tag();
      if (tag == SYMBOLS) {
        int size = in.size();
        symbols.add(in.position(), size);
        in.pass(size);
      } else {
        in.skip(tag);
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
}
