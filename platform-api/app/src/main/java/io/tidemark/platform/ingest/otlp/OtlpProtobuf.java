package io.tidemark.platform.ingest.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.tidemark.platform.ingest.application.DecodeBatch;
import io.tidemark.platform.ingest.domain.PointRules;

/** OTLP metrics as protobuf. A batch without refused points is passed on byte for byte. */
public final class OtlpProtobuf implements DecodeBatch {

  @Override
  public DecodedBatch decode(byte[] body, PointRules rules) throws MalformedBatchException {
    ExportMetricsServiceRequest request;
    try {
      request = ExportMetricsServiceRequest.parseFrom(body);
    } catch (InvalidProtocolBufferException malformed) {
      throw new MalformedBatchException(
          "The body is not an OTLP ExportMetricsServiceRequest in protobuf: "
              + malformed.getMessage(),
          malformed);
    }
    OtlpAcceptedPart part = new OtlpAcceptedPart(rules);
    ExportMetricsServiceRequest accepted = part.of(request);
    return new DecodedBatch(
        part.rejections().isEmpty() ? body : accepted.toByteArray(),
        part.accepted(),
        part.rejections());
  }
}
