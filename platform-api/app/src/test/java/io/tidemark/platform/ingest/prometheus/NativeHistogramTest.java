package io.tidemark.platform.ingest.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.contracts.prometheus.Histogram;
import io.tidemark.contracts.prometheus.v2.Metadata.MetricType;
import io.tidemark.platform.ingest.application.BatchDecoder.DecodedBatch;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.testing.TestingRemoteWrite;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NativeHistogramTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long MILLIS = NOW.toEpochMilli();

  /** Positive buckets 0..2 and 5..6, negative -3..-2, one zero: 1 3 4 _ _ 7 8, 1 2, 1. */
  static Histogram.Builder exponential(Histogram.Builder histogram, long millis) {
    histogram
        .setCountInt(27)
        .setSum(12.5)
        .setSchema(3)
        .setZeroThreshold(0.001)
        .setZeroCountInt(1)
        .addAllPositiveDeltas(List.of(1L, 2L, 1L, 3L, 1L))
        .addAllNegativeDeltas(List.of(1L, 1L))
        .setTimestamp(millis)
        .setStartTimestamp(millis - 1_000);
    histogram.addPositiveSpansBuilder().setOffset(0).setLength(3);
    histogram.addPositiveSpansBuilder().setOffset(2).setLength(2);
    histogram.addNegativeSpansBuilder().setOffset(-3).setLength(2);
    return histogram;
  }

  private static DecodedBatch decode(Consumer<Histogram.Builder> filling) throws Exception {
    TestingRemoteWrite request = new TestingRemoteWrite();
    filling.accept(
        request
            .add(MetricType.METRIC_TYPE_HISTOGRAM, "__name__", "latency", "zone", "x")
            .addHistogramsBuilder());
    return new RemoteWriteDecoder(RemoteWriteVersion.V2, RemoteWriteLimits.ofRecord(1 << 20))
        .decode(request.build().toByteArray(), new PointRules(NOW));
  }

  private static Metric metric(Consumer<Histogram.Builder> filling) throws Exception {
    DecodedBatch batch = decode(filling);
    assertThat(batch.rejections().byReason()).isEmpty();
    return ExportMetricsServiceRequest.parseFrom(batch.record())
        .getResourceMetrics(0)
        .getScopeMetrics(0)
        .getMetrics(0);
  }

  @Test
  void bucketsKeepTheirBoundsUnderTheirNumbersInOtlp() throws Exception {
    Metric metric = metric(histogram -> exponential(histogram, MILLIS));
    assertThat(metric.getExponentialHistogram().getAggregationTemporality().name())
        .endsWith("_CUMULATIVE");
    ExponentialHistogramDataPoint point = metric.getExponentialHistogram().getDataPoints(0);
    assertThat(point.getCount()).isEqualTo(27);
    assertThat(point.getSum()).isEqualTo(12.5);
    assertThat(point.getScale()).isEqualTo(3);
    assertThat(point.getZeroCount()).isEqualTo(1);
    assertThat(point.getZeroThreshold()).isEqualTo(0.001);
    // Bucket 0 of Prometheus ends at 1; in OTLP that is bucket -1.
    assertThat(point.getPositive().getOffset()).isEqualTo(-1);
    assertThat(point.getPositive().getBucketCountsList())
        .containsExactly(1L, 3L, 4L, 0L, 0L, 7L, 8L);
    assertThat(point.getNegative().getOffset()).isEqualTo(-4);
    assertThat(point.getNegative().getBucketCountsList()).containsExactly(1L, 2L);
    assertThat(point.getTimeUnixNano()).isEqualTo(MILLIS * 1_000_000);
    assertThat(point.getStartTimeUnixNano()).isEqualTo((MILLIS - 1_000) * 1_000_000);
    assertThat(point.getAttributes(0).getKey()).isEqualTo("zone");
  }

  @Test
  void customBucketsBecomeBounds() throws Exception {
    Metric metric =
        metric(
            histogram -> {
              histogram
                  .setCountInt(7)
                  .setSum(3)
                  .setSchema(-53)
                  .addAllCustomValues(List.of(0.1, 0.5, 1.0))
                  .addAllPositiveDeltas(List.of(2L, 3L))
                  .setTimestamp(MILLIS);
              histogram.addPositiveSpansBuilder().setOffset(1).setLength(1);
              histogram.addPositiveSpansBuilder().setOffset(1).setLength(1);
            });
    HistogramDataPoint point = metric.getHistogram().getDataPoints(0);
    assertThat(point.getExplicitBoundsList()).containsExactly(0.1, 0.5, 1.0);
    assertThat(point.getBucketCountsList()).containsExactly(0L, 2L, 0L, 5L);
    assertThat(point.getCount()).isEqualTo(7);
    assertThat(point.getStartTimeUnixNano()).isZero();
  }

  @Test
  void aStaleHistogramIsAPointWithoutAValue() throws Exception {
    Metric metric =
        metric(
            histogram ->
                histogram
                    .setSum(Double.longBitsToDouble(0x7ff0000000000002L))
                    .setTimestamp(MILLIS));
    ExponentialHistogramDataPoint point = metric.getExponentialHistogram().getDataPoints(0);
    assertThat(point.getFlags()).isEqualTo(1);
    assertThat(point.getCount()).isZero();
  }

  record Refused(String what, RejectionReason reason, Consumer<Histogram.Builder> change) {
    @Override
    public String toString() {
      return what;
    }
  }

  static List<Refused> refused() {
    RejectionReason invalid = RejectionReason.HISTOGRAM_INVALID;
    RejectionReason unsupported = RejectionReason.METRIC_TYPE_UNSUPPORTED;
    return List.of(
        new Refused("count does not fit", invalid, h -> h.setCountInt(28)),
        new Refused("more buckets than differences", invalid, h -> h.addPositiveDeltas(1)),
        new Refused("a bucket below nothing", invalid, h -> h.setPositiveDeltas(1, -5)),
        new Refused(
            "a span that goes back", invalid, h -> h.getPositiveSpansBuilder(1).setOffset(-1)),
        new Refused(
            "buckets without end", invalid, h -> h.getPositiveSpansBuilder(1).setOffset(20_000)),
        new Refused(
            "a bucket of no number",
            invalid,
            h -> h.getPositiveSpansBuilder(0).setOffset(Integer.MIN_VALUE)),
        new Refused("counts that come round", invalid, h -> h.setZeroCountInt(-1)),
        new Refused("a threshold below zero", invalid, h -> h.setZeroThreshold(-1)),
        new Refused("bounds not ascending", invalid, h -> h.setSchema(-53).addCustomValues(1)),
        new Refused(
            "a sum that is no number", RejectionReason.VALUE_NOT_FINITE, h -> h.setSum(1 / 0.0)),
        new Refused("fractions", unsupported, h -> h.setCountFloat(27)),
        new Refused("unknown schema", unsupported, h -> h.setSchema(9)),
        new Refused(
            "a gauge", unsupported, h -> h.setResetHint(Histogram.ResetHint.RESET_HINT_GAUGE)),
        new Refused("no time", RejectionReason.TIMESTAMP_OUT_OF_RANGE, h -> h.setTimestamp(0)));
  }

  @ParameterizedTest
  @MethodSource
  void refused(Refused refused) throws Exception {
    DecodedBatch batch =
        decode(histogram -> refused.change().accept(exponential(histogram, MILLIS)));
    assertThat(batch.rejections().byReason()).isEqualTo(Map.of(refused.reason(), 1L));
    assertThat(batch.points()).isZero();
  }
}
