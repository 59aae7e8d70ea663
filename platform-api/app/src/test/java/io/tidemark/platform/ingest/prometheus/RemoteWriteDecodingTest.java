package io.tidemark.platform.ingest.prometheus;

import static io.tidemark.platform.testing.TestingRemoteWrite.request;
import static io.tidemark.platform.testing.TestingRemoteWrite.series;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.tidemark.contracts.prometheus.v1.WriteRequest;
import io.tidemark.contracts.prometheus.v2.Metadata.MetricType;
import io.tidemark.contracts.prometheus.v2.TimeSeries;
import io.tidemark.platform.ingest.application.BatchDecoder.DecodedBatch;
import io.tidemark.platform.ingest.application.BatchDecoder.MalformedBatchException;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.ingest.prometheus.RemoteWriteDecoder.Written;
import io.tidemark.platform.testing.TestingRemoteWrite;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteWriteDecodingTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long MILLIS = NOW.toEpochMilli();
  private static final long NANOS = MILLIS * 1_000_000;
  private static final PointRules RULES = new PointRules(NOW);
  private static final RemoteWriteLimits LIMITS =
      new RemoteWriteLimits(100, 1_000, 100_000, 8, 24, 200, 300);
  private static final double STALE = Double.longBitsToDouble(0x7ff0000000000002L);

  private final TestingRemoteWrite v2 = new TestingRemoteWrite();

  private record Result(DecodedBatch batch, ExportMetricsServiceRequest otlp, Written written) {

    Metric metric(String name) {
      return otlp.getResourceMetricsList().stream()
          .flatMap(resource -> resource.getScopeMetrics(0).getMetricsList().stream())
          .filter(metric -> metric.getName().equals(name))
          .findFirst()
          .orElseThrow();
    }
  }

  private static Result decode(RemoteWriteVersion version, byte[] body) throws Exception {
    RemoteWriteDecoder decoder = new RemoteWriteDecoder(version, LIMITS);
    DecodedBatch batch = decoder.decode(body, RULES);
    return new Result(
        batch, ExportMetricsServiceRequest.parseFrom(batch.record()), decoder.written());
  }

  private static Result v1(WriteRequest request) throws Exception {
    return decode(RemoteWriteVersion.V1, request.toByteArray());
  }

  private Result v2() throws Exception {
    return decode(RemoteWriteVersion.V2, v2.build().toByteArray());
  }

  private static Map<String, String> texts(List<KeyValue> attributes) {
    return attributes.stream()
        .collect(Collectors.toMap(KeyValue::getKey, kv -> kv.getValue().getStringValue()));
  }

  @Test
  void aSampleBecomesAPointOfItsMetricAndResource() throws Exception {
    Result result =
        v1(
            request(
                series(
                    1.5, MILLIS, "__name__", "up", "instance", "a:9090", "job", "api", "zone", "x"),
                series(2, MILLIS, "__name__", "up", "instance", "a:9090", "job", "api"),
                series(3, MILLIS, "__name__", "up", "instance", "b:9090", "job", "api")));
    assertThat(result.batch().points()).isEqualTo(3);
    assertThat(result.batch().rejections().isEmpty()).isTrue();
    assertThat(result.written()).isEqualTo(new Written(3, 0, 0));
    assertThat(result.otlp().getResourceMetricsList()).hasSize(2);
    ResourceMetrics a = result.otlp().getResourceMetrics(0);
    assertThat(texts(a.getResource().getAttributesList()))
        .isEqualTo(Map.of("service.name", "api", "service.instance.id", "a:9090"));
    Metric up = a.getScopeMetrics(0).getMetrics(0);
    assertThat(up.getName()).isEqualTo("up");
    assertThat(up.getGauge().getDataPointsCount()).isEqualTo(2);
    NumberDataPoint point = up.getGauge().getDataPoints(0);
    assertThat(point.getTimeUnixNano()).isEqualTo(NANOS);
    assertThat(point.getAsDouble()).isEqualTo(1.5);
    assertThat(texts(point.getAttributesList())).isEqualTo(Map.of("zone", "x"));
  }

  @Test
  void seriesOfOneMetricComeTogetherInWhateverOrderTheyAre() throws Exception {
    io.tidemark.contracts.prometheus.v1.TimeSeries[] mixed =
        new io.tidemark.contracts.prometheus.v1.TimeSeries[90];
    for (int i = 0; i < mixed.length; i++) {
      String instance = i % 3 == 0 ? "" : "host-" + i % 3;
      mixed[i] =
          series(
              i,
              MILLIS,
              "__name__",
              "metric_" + i % 5,
              "instance",
              instance,
              "zone",
              "ü".repeat(i) + i);
    }
    List<ResourceMetrics> resources = v1(request(mixed)).otlp().getResourceMetricsList();
    assertThat(resources)
        .extracting(resource -> texts(resource.getResource().getAttributesList()))
        .containsExactly(
            Map.of(),
            Map.of("service.instance.id", "host-1"),
            Map.of("service.instance.id", "host-2"));
    for (int resource = 0; resource < 3; resource++) {
      List<Metric> metrics = resources.get(resource).getScopeMetrics(0).getMetricsList();
      assertThat(metrics)
          .extracting(Metric::getName)
          .containsExactlyInAnyOrder("metric_0", "metric_1", "metric_2", "metric_3", "metric_4");
      for (Metric metric : metrics) {
        assertThat(metric.getGauge().getDataPointsList()).hasSize(6);
        for (NumberDataPoint point : metric.getGauge().getDataPointsList()) {
          int i = (int) point.getAsDouble();
          assertThat(i % 3).isEqualTo(resource);
          assertThat(metric.getName()).isEqualTo("metric_" + i % 5);
          assertThat(texts(point.getAttributesList())).isEqualTo(Map.of("zone", "ü".repeat(i) + i));
        }
      }
    }
  }

  @Test
  void labelsCanNameTheResourceAsTidemarkDoes() throws Exception {
    Result result =
        v1(
            request(
                series(
                    1,
                    MILLIS,
                    "__name__",
                    "lag",
                    "tidemark_resource_id",
                    "lkc-1",
                    "tidemark_resource_type",
                    "kafka")));
    ResourceMetrics resource = result.otlp().getResourceMetrics(0);
    assertThat(texts(resource.getResource().getAttributesList()))
        .isEqualTo(Map.of("tidemark.resource.type", "kafka", "tidemark.resource.id", "lkc-1"));
    assertThat(
            resource
                .getScopeMetrics(0)
                .getMetrics(0)
                .getGauge()
                .getDataPoints(0)
                .getAttributesList())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "requests_total, true",
    "latency_count, true",
    "latency_sum, true",
    "latency_bucket, true",
    "queue_length, false",
    "_total, false",
    "total, false"
  })
  void withoutMetadataTheNameSaysWhatIsACounter(String name, boolean counter) throws Exception {
    Metric metric = v1(request(series(7, MILLIS, "__name__", name, "le", "0.5"))).metric(name);
    assertThat(metric.hasSum()).isEqualTo(counter);
    assertThat(metric.hasGauge()).isEqualTo(!counter);
    if (counter) {
      assertThat(metric.getSum().getIsMonotonic()).isTrue();
      assertThat(metric.getSum().getAggregationTemporality().name()).endsWith("_CUMULATIVE");
    }
  }

  @Test
  void aNameThatEndsInBucketIsACounterOnlyWithABound() throws Exception {
    assertThat(v1(request(series(7, MILLIS, "__name__", "s3_bucket"))).metric("s3_bucket"))
        .matches(Metric::hasGauge);
  }

  @ParameterizedTest
  @CsvSource({
    "METRIC_TYPE_COUNTER, odd_name, true",
    "METRIC_TYPE_GAUGE, jobs_total, false",
    "METRIC_TYPE_INFO, build_info, false",
    "METRIC_TYPE_STATESET, state_total, false",
    "METRIC_TYPE_GAUGEHISTOGRAM, size_gcount, false",
    "METRIC_TYPE_SUMMARY, latency, false",
    "METRIC_TYPE_SUMMARY, latency_sum, true",
    "METRIC_TYPE_HISTOGRAM, latency_count, true",
    "METRIC_TYPE_UNSPECIFIED, jobs_total, true",
    "METRIC_TYPE_UNSPECIFIED, jobs, false"
  })
  void metadataSayWhatIsACounter(MetricType type, String name, boolean counter) throws Exception {
    v2.add(type, "__name__", name).addSamplesBuilder().setValue(1).setTimestamp(MILLIS);
    assertThat(v2().metric(name).hasSum()).isEqualTo(counter);
  }

  @Test
  void helpUnitAndStartComeAlong() throws Exception {
    TimeSeries.Builder series = v2.add(MetricType.METRIC_TYPE_COUNTER, "__name__", "sent_bytes");
    series.addSamplesBuilder().setValue(1).setTimestamp(MILLIS).setStartTimestamp(MILLIS - 60_000);
    series.addSamplesBuilder().setValue(2).setTimestamp(MILLIS + 1);
    series.setCreatedTimestamp(MILLIS - 90_000);
    series.getMetadataBuilder().setHelpRef(v2.symbol("All sent.")).setUnitRef(v2.symbol("bytes"));
    Metric metric = v2().metric("sent_bytes");
    assertThat(metric.getDescription()).isEqualTo("All sent.");
    assertThat(metric.getUnit()).isEqualTo("bytes");
    assertThat(metric.getSum().getDataPointsList())
        .extracting(NumberDataPoint::getStartTimeUnixNano)
        .containsExactly(NANOS - 60_000_000_000L, NANOS - 90_000_000_000L);
  }

  @Test
  void aStaleMarkerAndNotANumberArePointsWithoutAValue() throws Exception {
    Result result =
        v1(
            request(
                series(STALE, MILLIS, "__name__", "ended"),
                series(Double.NaN, MILLIS, "__name__", "quantile"),
                series(-0.0, MILLIS, "__name__", "zero")));
    for (String name : List.of("ended", "quantile")) {
      NumberDataPoint point = result.metric(name).getGauge().getDataPoints(0);
      assertThat(point.getFlags()).isEqualTo(1);
      assertThat(point.getValueCase()).isEqualTo(NumberDataPoint.ValueCase.VALUE_NOT_SET);
    }
    assertThat(result.metric("zero").getGauge().getDataPoints(0).getAsDouble()).isEqualTo(-0.0);
    assertThat(result.written().samples()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, TIMESTAMP_OUT_OF_RANGE",
    "1, -9223372036854775808, TIMESTAMP_OUT_OF_RANGE",
    "1, 9223372036854775807, TIMESTAMP_OUT_OF_RANGE",
    "1, 1767225600, TIMESTAMP_OUT_OF_RANGE",
    "1, 1767226200001, TIMESTAMP_OUT_OF_RANGE",
    "Infinity, 1767225600000, VALUE_NOT_FINITE",
    "-Infinity, 1767225600000, VALUE_NOT_FINITE"
  })
  void whatIsRefusedIsCountedAndTheRestIsKept(double value, long millis, RejectionReason reason)
      throws Exception {
    Result result =
        v1(
            request(
                series(value, millis, "__name__", "bad"), series(1, MILLIS, "__name__", "good")));
    assertThat(result.batch().rejections().byReason()).isEqualTo(Map.of(reason, 1L));
    assertThat(result.batch().points()).isEqualTo(1);
    assertThat(result.written().samples()).isEqualTo(1);
    assertThat(result.metric("good").getGauge().getDataPointsCount()).isEqualTo(1);
    assertThat(result.batch().rejections().message()).contains("bad");
  }

  @Test
  void labelsThatBreakARuleRefuseTheirSeries() throws Exception {
    String[] tooMany = new String[20];
    for (int i = 0; i < 10; i++) {
      tooMany[2 * i] = i == 0 ? "__name__" : "l" + i;
      tooMany[2 * i + 1] = "x";
    }
    Result result =
        v1(
            request(
                series(1, MILLIS, "__name__", "twice", "a", "1", "b", "2", "a", "3"),
                series(1, MILLIS, "__name__", "", "a", "1"),
                series(1, MILLIS, "a", "1"),
                series(1, MILLIS),
                series(1, MILLIS, "__name__", "empty", "", "1"),
                series(1, MILLIS, "__name__", "long", "a", "x".repeat(201)),
                series(1, MILLIS, "__name__", "long", "n".repeat(25), "x"),
                series(1, MILLIS, tooMany)));
    assertThat(result.batch().rejections().byReason())
        .isEqualTo(
            Map.of(RejectionReason.LABEL_INVALID, 5L, RejectionReason.METRIC_NAME_MISSING, 3L));
    assertThat(result.batch().points()).isZero();
    assertThat(result.batch().record()).isEmpty();
  }

  @Test
  void anEmptyValueIsNoLabelAndOrderDoesNotMatter() throws Exception {
    Metric metric =
        v1(request(series(1, MILLIS, "zone", "x", "__name__", "up", "region", ""))).metric("up");
    assertThat(texts(metric.getGauge().getDataPoints(0).getAttributesList()))
        .isEqualTo(Map.of("zone", "x"));
  }

  @Test
  void labelsThatAreNoUtf8RefuseTheirSeriesAlone() throws Exception {
    ByteString bad = ByteString.copyFrom(new byte[] {'a', (byte) 0xC3});
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (String text : List.of("", "__name__", "good", "zone", "ü")) {
      CodedOutputStream out = CodedOutputStream.newInstance(body);
      out.writeString(4, text);
      out.flush();
    }
    CodedOutputStream out = CodedOutputStream.newInstance(body);
    out.writeBytes(4, bad);
    for (int value : new int[] {4, 5}) {
      TimeSeries.Builder series = TimeSeries.newBuilder().addAllLabelsRefs(List.of(1, 2, 3, value));
      series.addSamplesBuilder().setTimestamp(MILLIS);
      out.writeMessage(5, series.build());
    }
    out.flush();
    Result result = decode(RemoteWriteVersion.V2, body.toByteArray());
    assertThat(result.batch().rejections().byReason())
        .isEqualTo(Map.of(RejectionReason.LABEL_INVALID, 1L));
    assertThat(result.metric("good").getGauge().getDataPoints(0).getAttributes(0).getValue())
        .matches(value -> value.getStringValue().equals("ü"));
  }

  @Test
  void exemplarsGoWithAPointOfTheirSeriesOrAreCarried() throws Exception {
    TimeSeries.Builder series = v2.add(MetricType.METRIC_TYPE_COUNTER, "__name__", "calls");
    series.addSamplesBuilder().setValue(1).setTimestamp(MILLIS);
    series
        .addExemplarsBuilder()
        .setValue(0.5)
        .setTimestamp(MILLIS - 5)
        .addLabelsRefs(v2.symbol("trace_id"))
        .addLabelsRefs(v2.symbol("5b8efff798038103d269b633813fc60c"))
        .addLabelsRefs(v2.symbol("user"))
        .addLabelsRefs(v2.symbol("u1"));
    v2.add(MetricType.METRIC_TYPE_COUNTER, "__name__", "alone")
        .addExemplarsBuilder()
        .setValue(2)
        .setTimestamp(MILLIS)
        .addLabelsRefs(v2.symbol("trace_id"))
        .addLabelsRefs(v2.symbol("not hexadecimal"));
    v2.add(MetricType.METRIC_TYPE_COUNTER, "__name__", "timeless")
        .addExemplarsBuilder()
        .setValue(1);
    Result result = v2();
    assertThat(result.written()).isEqualTo(new Written(1, 0, 2));
    assertThat(result.batch().points()).isEqualTo(2);
    assertThat(result.batch().rejections().byReason())
        .isEqualTo(Map.of(RejectionReason.TIMESTAMP_OUT_OF_RANGE, 1L));
    Exemplar traced = result.metric("calls").getSum().getDataPoints(0).getExemplars(0);
    assertThat(traced.getTraceId())
        .isEqualTo(ByteString.fromHex("5b8efff798038103d269b633813fc60c"));
    assertThat(traced.getAsDouble()).isEqualTo(0.5);
    assertThat(traced.getTimeUnixNano()).isEqualTo(NANOS - 5_000_000);
    assertThat(texts(traced.getFilteredAttributesList())).isEqualTo(Map.of("user", "u1"));
    NumberDataPoint carrier = result.metric("alone").getSum().getDataPoints(0);
    assertThat(carrier.getFlags()).isEqualTo(1);
    assertThat(texts(carrier.getExemplars(0).getFilteredAttributesList()))
        .isEqualTo(Map.of("trace_id", "not hexadecimal"));
  }

  @Test
  void metadataAloneAreNothingToStore() throws Exception {
    v2.add(MetricType.METRIC_TYPE_COUNTER, "__name__", "orphan");
    assertThat(v2().batch().points()).isZero();
    assertThat(v1(WriteRequest.getDefaultInstance()).batch().record()).isEmpty();
  }

  @Test
  void whatIsNoRequestIsMalformed() {
    TimeSeries.Builder both = v2.add(MetricType.METRIC_TYPE_GAUGE, "__name__", "both");
    both.addSamplesBuilder().setTimestamp(MILLIS);
    both.addHistogramsBuilder().setTimestamp(MILLIS);
    assertMalformed(RemoteWriteVersion.V2, v2.build().toByteArray(), "both samples and histograms");
    assertMalformed(
        RemoteWriteVersion.V2,
        v2.build().toBuilder().clearSymbols().build().toByteArray(),
        "symbols");
    assertMalformed(
        RemoteWriteVersion.V2,
        v2.build().toBuilder().setSymbols(0, "x").build().toByteArray(),
        "first symbol");
    both.clearHistograms().addLabelsRefs(1);
    assertMalformed(RemoteWriteVersion.V2, v2.build().toByteArray(), "no value");
    assertMalformed(RemoteWriteVersion.V1, new byte[] {10, 127}, "prometheus.WriteRequest");
    assertMalformed(RemoteWriteVersion.V1, new byte[] {0x0c}, "prometheus.WriteRequest");
  }

  @Test
  void aRequestBeyondALimitIsMalformed() {
    WriteRequest.Builder many = WriteRequest.newBuilder();
    for (int i = 0; i < 101; i++) {
      many.addTimeseries(series(1, MILLIS, "__name__", "m"));
    }
    assertMalformed(RemoteWriteVersion.V1, many.build().toByteArray(), "more than 100 series");
    for (int i = 0; i < 1_000; i++) {
      v2.symbol("s" + i);
    }
    assertMalformed(RemoteWriteVersion.V2, v2.build().toByteArray(), "more than 1000 symbols");
    TestingRemoteWrite expanding = new TestingRemoteWrite();
    TimeSeries.Builder series =
        expanding.add(MetricType.METRIC_TYPE_GAUGE, "__name__", "m", "a", "x".repeat(200));
    for (int i = 0; i < 1_000; i++) {
      series.addSamplesBuilder().setTimestamp(MILLIS);
    }
    byte[] body = expanding.build().toByteArray();
    assertThat(body.length).isLessThan(20_000);
    assertMalformed(RemoteWriteVersion.V2, body, "more than 100000 bytes");
  }

  private static void assertMalformed(RemoteWriteVersion version, byte[] body, String why) {
    RemoteWriteDecoder decoder = new RemoteWriteDecoder(version, LIMITS);
    assertThatThrownBy(() -> decoder.decode(body, RULES))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining(why);
    assertThat(decoder.written()).isEqualTo(Written.NOTHING);
  }

  @Test
  void everyChangedByteIsMalformedOrARequestThatOthersCanRead() throws Exception {
    TimeSeries.Builder series =
        v2.add(MetricType.METRIC_TYPE_COUNTER, "__name__", "up", "job", "a");
    series.addSamplesBuilder().setValue(1).setTimestamp(MILLIS).setStartTimestamp(MILLIS - 1);
    NativeHistogramTest.exponential(
        v2.add(MetricType.METRIC_TYPE_HISTOGRAM, "__name__", "h").addHistogramsBuilder(), MILLIS);
    byte[] second = v2.build().toByteArray();
    byte[] first = request(series(1, MILLIS, "__name__", "up", "job", "a")).toByteArray();
    for (RemoteWriteVersion version : RemoteWriteVersion.values()) {
      byte[] whole = version == RemoteWriteVersion.V1 ? first : second;
      for (int at = 0; at < whole.length; at++) {
        for (int bit = 0; bit < 8; bit++) {
          byte[] changed = whole.clone();
          changed[at] ^= (byte) (1 << bit);
          try {
            byte[] record = new RemoteWriteDecoder(version, LIMITS).decode(changed, RULES).record();
            assertThat(ExportMetricsServiceRequest.parseFrom(record)).isNotNull();
          } catch (MalformedBatchException malformed) {
            assertThat(malformed).hasMessageContaining("equest");
          }
        }
      }
    }
  }
}
