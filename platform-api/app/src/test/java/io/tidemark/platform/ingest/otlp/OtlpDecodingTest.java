package io.tidemark.platform.ingest.otlp;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.gauge;
import static io.tidemark.platform.testing.TestingMetrics.histogram;
import static io.tidemark.platform.testing.TestingMetrics.label;
import static io.tidemark.platform.testing.TestingMetrics.nanos;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static io.tidemark.platform.testing.TestingMetrics.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.platform.ingest.application.BatchDecoder.DecodedBatch;
import io.tidemark.platform.ingest.application.BatchDecoder.MalformedBatchException;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpDecodingTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final PointRules RULES = new PointRules(NOW);

  private static final Metric EXPONENTIAL =
      Metric.newBuilder()
          .setName("exponential")
          .setExponentialHistogram(
              ExponentialHistogram.newBuilder()
                  .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                  .addDataPoints(
                      ExponentialHistogramDataPoint.newBuilder()
                          .setTimeUnixNano(nanos(NOW))
                          .setCount(3)
                          .setSum(5)
                          .setZeroCount(1)
                          .setPositive(
                              ExponentialHistogramDataPoint.Buckets.newBuilder()
                                  .addBucketCounts(2))))
          .build();
  private static final Metric SUMMARY =
      Metric.newBuilder()
          .setName("summary")
          .setSummary(
              Summary.newBuilder()
                  .addDataPoints(
                      SummaryDataPoint.newBuilder()
                          .setTimeUnixNano(nanos(NOW))
                          .setCount(2)
                          .setSum(3)))
          .build();

  record Case(String what, Metric metric, RejectionReason reason, long points) {
    @Override
    public String toString() {
      return what;
    }
  }

  static List<Case> refused() {
    NumberDataPoint good = point(NOW, 1);
    return List.of(
        new Case("no name", counter("", good, good), RejectionReason.METRIC_NAME_MISSING, 2),
        new Case(
            "no temporality",
            sum("m", AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED, good),
            RejectionReason.TEMPORALITY_UNSPECIFIED,
            1),
        new Case(
            "no data",
            Metric.newBuilder().setName("m").build(),
            RejectionReason.METRIC_TYPE_UNSUPPORTED,
            0),
        new Case(
            "no time",
            gauge("m", NumberDataPoint.newBuilder().setAsInt(1).build()),
            RejectionReason.TIMESTAMP_OUT_OF_RANGE,
            1),
        new Case(
            "milliseconds for nanoseconds",
            gauge(
                "m",
                NumberDataPoint.newBuilder()
                    .setTimeUnixNano(NOW.toEpochMilli())
                    .setAsInt(1)
                    .build()),
            RejectionReason.TIMESTAMP_OUT_OF_RANGE,
            1),
        new Case(
            "beyond 2^63",
            gauge("m", NumberDataPoint.newBuilder().setTimeUnixNano(-1).setAsInt(1).build()),
            RejectionReason.TIMESTAMP_OUT_OF_RANGE,
            1),
        new Case(
            "too far ahead",
            gauge("m", point(NOW.plus(Duration.ofMinutes(10)).plusNanos(1), 1)),
            RejectionReason.TIMESTAMP_OUT_OF_RANGE,
            1),
        new Case(
            "infinite",
            gauge("m", point(NOW, Double.NEGATIVE_INFINITY)),
            RejectionReason.VALUE_NOT_FINITE,
            1),
        new Case(
            "no value",
            gauge("m", NumberDataPoint.newBuilder().setTimeUnixNano(nanos(NOW)).build()),
            RejectionReason.VALUE_MISSING,
            1),
        new Case(
            "empty label key",
            gauge("m", point(NOW, 1).toBuilder().addAttributes(label("", "x")).build()),
            RejectionReason.LABEL_INVALID,
            1),
        new Case(
            "bounds and counts do not fit",
            histogram("m", buckets(3, List.of(1L, 2L), List.of(1.0, 2.0))),
            RejectionReason.HISTOGRAM_INVALID,
            1),
        new Case(
            "counts do not add up",
            histogram("m", buckets(4, List.of(1L, 2L), List.of(1.0))),
            RejectionReason.HISTOGRAM_INVALID,
            1),
        new Case(
            "bounds not ascending",
            histogram("m", buckets(3, List.of(1L, 1L, 1L), List.of(2.0, 2.0))),
            RejectionReason.HISTOGRAM_INVALID,
            1));
  }

  private static HistogramDataPoint buckets(long count, List<Long> counts, List<Double> bounds) {
    return HistogramDataPoint.newBuilder()
        .setTimeUnixNano(nanos(NOW))
        .setCount(count)
        .setSum(1)
        .addAllBucketCounts(counts)
        .addAllExplicitBounds(bounds)
        .build();
  }

  @ParameterizedTest
  @MethodSource
  void refused(Case refused) throws Exception {
    Metric kept = counter("kept", point(NOW, 1));
    DecodedBatch batch =
        new OtlpProtobuf().decode(request(refused.metric(), kept).toByteArray(), RULES);
    assertThat(batch.rejections().byReason()).isEqualTo(Map.of(refused.reason(), refused.points()));
    assertThat(batch.rejections().message()).contains(refused.reason().name());
    assertThat(batch.points()).isEqualTo(1);
    assertThat(ExportMetricsServiceRequest.parseFrom(batch.record())).isEqualTo(request(kept));
  }

  @Test
  void acceptedThingsAreNotTouched() throws Exception {
    byte[] body =
        request(
                gauge(
                    "ended",
                    NumberDataPoint.newBuilder().setTimeUnixNano(nanos(NOW)).setFlags(1).build()),
                gauge("stale", point(NOW, Double.longBitsToDouble(0x7ff0000000000002L))),
                gauge("ahead", point(NOW.plus(Duration.ofMinutes(10)), 1)),
                gauge("whole", point(NOW, 1).toBuilder().setAsInt(Long.MIN_VALUE).build()),
                histogram("sum and count only", buckets(3, List.of(), List.of())),
                histogram("buckets", buckets(3, List.of(1L, 2L), List.of(1.0))),
                sum(
                    "cumulative",
                    AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
                    point(NOW, 1).toBuilder()
                        .setStartTimeUnixNano(nanos(NOW.minusSeconds(60)))
                        .addExemplars(Exemplar.newBuilder().setAsInt(1).setTimeUnixNano(nanos(NOW)))
                        .build()),
                EXPONENTIAL,
                SUMMARY)
            .toByteArray();
    DecodedBatch batch = new OtlpProtobuf().decode(body, RULES);
    assertThat(batch.rejections().isEmpty()).isTrue();
    assertThat(batch.points()).isEqualTo(9);
    assertThat(batch.record()).isSameAs(body);
  }

  @Test
  void jsonMeansTheSameAsProtobuf() throws Exception {
    String json =
        """
        {"resourceMetrics":[{"resource":{"attributes":[
          {"key":"service.name","value":{"stringValue":"checkout"}}]},
          "scopeMetrics":[{"unknownField":true,"metrics":[{"name":"orders","sum":{
            "aggregationTemporality":1,"isMonotonic":true,"dataPoints":[
              {"timeUnixNano":"%d","asDouble":1.5}]}}]}]}]}
        """
            .formatted(nanos(NOW));
    DecodedBatch batch = new OtlpJson().decode(json.getBytes(StandardCharsets.UTF_8), RULES);
    assertThat(ExportMetricsServiceRequest.parseFrom(batch.record()))
        .isEqualTo(request(counter("orders", point(NOW, 1.5))));
  }

  /**
   * The protocol has lower camel case and numbers; what is meant otherwise is not lost in silence.
   */
  @Test
  void jsonWithOriginalFieldNamesAndNamesOfEnumsIsReadToo() throws Exception {
    String json =
        """
        {"resource_metrics":[{"resource":{"attributes":[
          {"key":"service.name","value":{"string_value":"checkout"}}]},
          "scope_metrics":[{"metrics":[{"name":"orders","sum":{
            "aggregation_temporality":"AGGREGATION_TEMPORALITY_DELTA","is_monotonic":true,"data_points":[
              {"time_unix_nano":"%d","as_double":1.5}]}}]}]}]}
        """
            .formatted(nanos(NOW));
    DecodedBatch batch = new OtlpJson().decode(json.getBytes(StandardCharsets.UTF_8), RULES);
    assertThat(ExportMetricsServiceRequest.parseFrom(batch.record()))
        .isEqualTo(request(counter("orders", point(NOW, 1.5))));
  }

  @Test
  void jsonIdentifiersOfTracesAreHexadecimal() throws Exception {
    String json =
        """
        {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","gauge":{"dataPoints":[
          {"timeUnixNano":%d,"asInt":"5","exemplars":[{"asInt":1,
            "traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"eee19b7ec3c1b174"}]}]}}]}]}]}
        """
            .formatted(nanos(NOW));
    DecodedBatch batch = new OtlpJson().decode(json.getBytes(StandardCharsets.UTF_8), RULES);
    var exemplar =
        ExportMetricsServiceRequest.parseFrom(batch.record())
            .getResourceMetrics(0)
            .getScopeMetrics(0)
            .getMetrics(0)
            .getGauge()
            .getDataPoints(0)
            .getExemplars(0);
    assertThat(exemplar.getTraceId())
        .isEqualTo(ByteString.fromHex("5B8EFFF798038103D269B633813FC60C"));
    assertThat(exemplar.getSpanId()).isEqualTo(ByteString.fromHex("eee19b7ec3c1b174"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[]",
        "{\"resourceMetrics\":3}",
        "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"gauge\":{\"dataPoints\":["
            + "{\"exemplars\":[{\"traceId\":\"zz\"}]}]}}]}]}]}"
      })
  void textThatIsNotOtlpJsonIsMalformed(String text) {
    assertThatThrownBy(() -> new OtlpJson().decode(text.getBytes(StandardCharsets.UTF_8), RULES))
        .isInstanceOf(MalformedBatchException.class);
  }

  @Test
  void bytesThatAreNotUtf8AreMalformedJson() {
    assertThatThrownBy(() -> new OtlpJson().decode(new byte[] {'"', (byte) 0xFF, '"'}, RULES))
        .isInstanceOf(MalformedBatchException.class);
  }

  @Test
  void whatIsKeptAroundARefusedPointStaysAsItWas() throws Exception {
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    request
        .addResourceMetricsBuilder()
        .setSchemaUrl("urn:a")
        .setResource(Resource.newBuilder().addAttributes(label("service.name", "checkout")))
        .addScopeMetricsBuilder()
        .setSchemaUrl("urn:b")
        .addMetrics(
            counter("orders", point(NOW, 1), point(Instant.EPOCH, 2), point(NOW, 3)).toBuilder()
                .setUnit("1")
                .setDescription("all orders"));
    request
        .addResourceMetricsBuilder()
        .addScopeMetricsBuilder()
        .addMetrics(counter("", point(NOW, 1)));
    DecodedBatch batch = new OtlpProtobuf().decode(request.build().toByteArray(), RULES);

    ExportMetricsServiceRequest.Builder expected = request.clone();
    expected.removeResourceMetrics(1);
    expected
        .getResourceMetricsBuilder(0)
        .getScopeMetricsBuilder(0)
        .getMetricsBuilder(0)
        .getSumBuilder()
        .removeDataPoints(1);
    assertThat(ExportMetricsServiceRequest.parseFrom(batch.record())).isEqualTo(expected.build());
    assertThat(batch.points()).isEqualTo(2);
    assertThat(batch.rejections().total()).isEqualTo(2);
  }

  @Test
  void aPartThatWouldBeHugeInMemoryIsMalformed() {
    NumberDataPoint.Builder point = point(NOW, 1).toBuilder();
    for (int i = 0; i < 150_000; i++) {
      point.addAttributesBuilder();
    }
    assertThatThrownBy(
            () ->
                new OtlpProtobuf().decode(request(gauge("m", point.build())).toByteArray(), RULES))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining("262144 bytes");
  }

  @Test
  void aMetricWithItsDataTwiceIsMalformed() {
    ExportMetricsServiceRequest once = request(gauge("m", point(NOW, 1)));
    ByteString metric = once.getResourceMetrics(0).getScopeMetrics(0).getMetrics(0).toByteString();
    ByteString gauge =
        Metric.newBuilder().setGauge(gauge("m", point(NOW, 1)).getGauge()).build().toByteString();
    ByteString scope = delimited(2, metric.concat(gauge));
    byte[] body = delimited(1, delimited(2, scope)).toByteArray();
    assertThatThrownBy(() -> new OtlpProtobuf().decode(body, RULES))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining("more than once");
  }

  private static ByteString delimited(int field, ByteString content) {
    try {
      ByteString.Output out = ByteString.newOutput();
      CodedOutputStream coded = CodedOutputStream.newInstance(out);
      coded.writeBytes(field, content);
      coded.flush();
      return out.toByteString();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Test
  void jsonWithTooManyValuesIsRefusedBeforeItIsParsed() {
    String dense = "{\"resourceMetrics\":[" + "{},".repeat(400_000) + "{}]}";
    assertThatThrownBy(() -> new OtlpJson().decode(dense.getBytes(StandardCharsets.UTF_8), RULES))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining("400000 JSON values");
  }

  @Test
  void everyCutOfARequestIsMalformedOrARequest() throws Exception {
    byte[] whole =
        request(
                counter("orders", point(NOW, 1)),
                histogram("h", buckets(3, List.of(1L, 2L), List.of(1.0))))
            .toByteArray();
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      try {
        byte[] record = new OtlpProtobuf().decode(cut, RULES).record();
        assertThat(ExportMetricsServiceRequest.parseFrom(record)).isNotNull();
      } catch (MalformedBatchException malformed) {
        assertThat(malformed).hasMessageContaining("protobuf");
      }
    }
  }

  @Test
  void everyChangedByteIsMalformedOrARequestThatOthersCanRead() throws Exception {
    byte[] whole = request(counter("orders", point(NOW, 1), point(NOW, 2))).toByteArray();
    for (int at = 0; at < whole.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = whole.clone();
        changed[at] ^= (byte) (1 << bit);
        try {
          byte[] record = new OtlpProtobuf().decode(changed, RULES).record();
          assertThat(ExportMetricsServiceRequest.parseFrom(record)).isNotNull();
        } catch (MalformedBatchException malformed) {
          assertThat(malformed).hasMessageContaining("protobuf");
        }
      }
    }
  }
}
