package io.tidemark.platform.ingest.otlp;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.tidemark.platform.ingest.application.BatchDecoder;
import io.tidemark.platform.ingest.domain.PointRules;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;

/**
 * OTLP metrics as JSON: protobuf's JSON mapping, except that trace and span ids are hexadecimal and
 * unknown fields are ignored.
 */
public final class OtlpJson implements BatchDecoder {

  private static final JsonFormat.Parser PARSER = JsonFormat.parser().ignoringUnknownFields();

  /**
   * Text becomes a tree of values and then of messages, some hundred bytes for each value. Counted
   * before, because a body that is short as text can fill the memory as a tree.
   */
  private static final int MAX_VALUES = 400_000;

  private final OtlpProtobuf protobuf = new OtlpProtobuf();

  /**
   * Only so many values are decoded at a time, by whoever: a large body waits for others, many
   * small ones do not wait for each other. In the order of arrival, so that no body waits for ever.
   */
  private static final Semaphore VALUES = new Semaphore(MAX_VALUES, true);

  /** Senders of volume use protobuf. */
  @Override
  public DecodedBatch decode(byte[] body, PointRules rules) throws MalformedBatchException {
    int values = values(body);
    if (values > MAX_VALUES) {
      throw new MalformedBatchException(
          "The body has more than "
              + MAX_VALUES
              + " JSON values. Send smaller batches, or protobuf.",
          null);
    }
    VALUES.acquireUninterruptibly(values);
    byte[] request;
    try {
      request = request(body);
    } finally {
      VALUES.release(values);
    }
    return protobuf.decode(request, rules);
  }

  private static byte[] request(byte[] body) throws MalformedBatchException {
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      if (text.isBlank()) {
        throw new MalformedBatchException("The body is empty; send {} for no metrics.", null);
      }
      PARSER.merge(text, request);
      if (text.contains("\"exemplars\"")) {
        restoreHexadecimalIds(request);
      }
      return request.build().toByteArray();
    } catch (InvalidProtocolBufferException | CharacterCodingException malformed) {
      throw new MalformedBatchException(
          "The body is not an OTLP ExportMetricsServiceRequest in JSON: " + malformed.getMessage(),
          malformed);
    } catch (IllegalArgumentException malformed) {
      throw new MalformedBatchException(
          "A traceId or spanId is not hexadecimal with 32 or 16 digits.", malformed);
    }
  }

  /** At least the number of values and keys: one follows each of these characters. */
  private static int values(byte[] body) {
    int values = 0;
    for (byte character : body) {
      if (character == '{' || character == '[' || character == ',' || character == ':') {
        values++;
      }
    }
    return values;
  }

  private static void restoreHexadecimalIds(ExportMetricsServiceRequest.Builder request) {
    for (ResourceMetrics.Builder resource : request.getResourceMetricsBuilderList()) {
      for (ScopeMetrics.Builder scope : resource.getScopeMetricsBuilderList()) {
        for (Metric.Builder metric : scope.getMetricsBuilderList()) {
          switch (metric.getDataCase()) {
            case GAUGE ->
                metric.getGaugeBuilder().getDataPointsBuilderList().forEach(OtlpJson::restore);
            case SUM ->
                metric.getSumBuilder().getDataPointsBuilderList().forEach(OtlpJson::restore);
            case HISTOGRAM ->
                metric.getHistogramBuilder().getDataPointsBuilderList().forEach(OtlpJson::restore);
            case EXPONENTIAL_HISTOGRAM ->
                metric
                    .getExponentialHistogramBuilder()
                    .getDataPointsBuilderList()
                    .forEach(OtlpJson::restore);
            case SUMMARY, DATA_NOT_SET -> {}
          }
        }
      }
    }
  }

  private static void restore(NumberDataPoint.Builder point) {
    point.getExemplarsBuilderList().forEach(OtlpJson::restore);
  }

  private static void restore(HistogramDataPoint.Builder point) {
    point.getExemplarsBuilderList().forEach(OtlpJson::restore);
  }

  private static void restore(ExponentialHistogramDataPoint.Builder point) {
    point.getExemplarsBuilderList().forEach(OtlpJson::restore);
  }

  private static void restore(Exemplar.Builder exemplar) {
    exemplar.setTraceId(fromHexadecimal(exemplar.getTraceId(), 16));
    exemplar.setSpanId(fromHexadecimal(exemplar.getSpanId(), 8));
  }

  /**
   * The parser took the hexadecimal text for base 64, which its digits happen to be; encoding again
   * gives the text back.
   */
  private static ByteString fromHexadecimal(ByteString takenForBase64, int length) {
    if (takenForBase64.isEmpty()) {
      return takenForBase64;
    }
    String text = Base64.getEncoder().encodeToString(takenForBase64.toByteArray());
    byte[] id = HexFormat.of().parseHex(text);
    if (id.length != length) {
      throw new IllegalArgumentException("wrong length");
    }
    return ByteString.copyFrom(id);
  }
}
