package io.tidemark.platform.ingest.otlp;

import io.tidemark.platform.ingest.application.BatchDecoder;
import io.tidemark.platform.ingest.domain.PointRules;
import java.io.IOException;

/** OTLP metrics as protobuf. A batch without refused points is passed on byte for byte. */
public final class OtlpProtobuf implements BatchDecoder {

  @Override
  public DecodedBatch decode(byte[] body, PointRules rules) throws MalformedBatchException {
    OtlpRequestFilter part = new OtlpRequestFilter(rules);
    try {
      byte[] record = part.of(body);
      return new DecodedBatch(record, part.accepted(), part.rejections(), part.descriptions());
    } catch (IOException malformed) {
      throw new MalformedBatchException(
          "The body is not an OTLP ExportMetricsServiceRequest in protobuf: "
              + malformed.getMessage(),
          malformed);
    }
  }
}
