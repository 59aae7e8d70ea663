package io.tidemark.flink.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.replay.RawPoint.Histogram;
import io.tidemark.flink.replay.RawPoint.Numbers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReconstructedRequestTest {

  private static final long START = 1_772_323_200_000_000_001L;
  private static final long TIME = 1_772_323_210_000_000_002L;
  private static final AggregationTemporality DELTA =
      AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
  private static final AggregationTemporality CUMULATIVE =
      AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;

  @Test
  void numbersComeBackAsSent() {
    Metric.Builder gauge = Metric.newBuilder().setName("m").setUnit("1");
    gauge.getGaugeBuilder().addDataPoints(number().setAsDouble(0.1 + 0.2));
    assertComesBack(gauge, point("gauge", "instant", new Numbers(0.1 + 0.2, false, null)));

    Metric.Builder whole = Metric.newBuilder().setName("m").setUnit("1");
    whole.getGaugeBuilder().addDataPoints(number().setAsInt(7));
    assertComesBack(whole, point("gauge", "instant", new Numbers(7.0, true, null)));

    long beyondDouble = (1L << 53) + 1;
    Metric.Builder large = Metric.newBuilder().setName("m").setUnit("1");
    large
        .getSumBuilder()
        .setIsMonotonic(true)
        .setAggregationTemporality(CUMULATIVE)
        .addDataPoints(number().setAsInt(beyondDouble));
    assertComesBack(
        large,
        point("counter", "cumulative", new Numbers((double) beyondDouble, true, beyondDouble)));

    Metric.Builder level = Metric.newBuilder().setName("m").setUnit("1");
    level
        .getSumBuilder()
        .setAggregationTemporality(DELTA)
        .addDataPoints(number().setAsDouble(-4.5));
    assertComesBack(level, point("updown_counter", "delta", new Numbers(-4.5, false, null)));

    Metric.Builder state = Metric.newBuilder().setName("m").setUnit("1");
    state
        .getSumBuilder()
        .setAggregationTemporality(CUMULATIVE)
        .addDataPoints(number().setAsDouble(-4.5));
    assertComesBack(state, point("gauge", "cumulative", new Numbers(-4.5, false, null)));
  }

  @Test
  void histogramsComeBackAsSent() {
    Metric.Builder explicit = Metric.newBuilder().setName("m").setUnit("1");
    explicit
        .getHistogramBuilder()
        .setAggregationTemporality(DELTA)
        .addDataPoints(
            HistogramDataPoint.newBuilder()
                .addAttributes(label("zone", "1"))
                .setStartTimeUnixNano(START)
                .setTimeUnixNano(TIME)
                .setCount(5)
                .setSum(12.5)
                .setMin(0.5)
                .setMax(9)
                .addExplicitBounds(1)
                .addExplicitBounds(5)
                .addBucketCounts(1)
                .addBucketCounts(3)
                .addBucketCounts(1));
    assertComesBack(
        explicit,
        point(
            "histogram",
            "delta",
            new Histogram(
                5L,
                12.5,
                0.5,
                9.0,
                List.of(1L, 3L, 1L),
                List.of(1.0, 5.0),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null)));

    Metric.Builder bare = Metric.newBuilder().setName("m").setUnit("1");
    bare.getHistogramBuilder()
        .setAggregationTemporality(CUMULATIVE)
        .addDataPoints(
            HistogramDataPoint.newBuilder()
                .addAttributes(label("zone", "1"))
                .setStartTimeUnixNano(START)
                .setTimeUnixNano(TIME)
                .setCount(5));
    assertComesBack(
        bare,
        point(
            "histogram",
            "cumulative",
            new Histogram(
                5L, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null)));

    ExponentialHistogramDataPoint.Builder exponential =
        ExponentialHistogramDataPoint.newBuilder()
            .addAttributes(label("zone", "1"))
            .setStartTimeUnixNano(START)
            .setTimeUnixNano(TIME)
            .setCount(10)
            .setSum(3)
            .setScale(-2)
            .setZeroCount(1)
            .setZeroThreshold(1e-9);
    exponential.getPositiveBuilder().setOffset(-3).addBucketCounts(4).addBucketCounts(2);
    exponential.getNegativeBuilder().setOffset(6).addBucketCounts(3);
    Metric.Builder scaled = Metric.newBuilder().setName("m").setUnit("1");
    scaled
        .getExponentialHistogramBuilder()
        .setAggregationTemporality(DELTA)
        .addDataPoints(exponential);
    assertComesBack(
        scaled,
        point(
            "exponential_histogram",
            "delta",
            new Histogram(
                10L,
                3.0,
                null,
                null,
                null,
                null,
                -2,
                1L,
                1e-9,
                -3,
                List.of(4L, 2L),
                6,
                List.of(3L),
                null,
                null)));
  }

  @Test
  void summariesComeBackAsSent() {
    Metric.Builder summary = Metric.newBuilder().setName("m").setUnit("1");
    summary
        .getSummaryBuilder()
        .addDataPoints(
            SummaryDataPoint.newBuilder()
                .addAttributes(label("zone", "1"))
                .setStartTimeUnixNano(START)
                .setTimeUnixNano(TIME)
                .setCount(4)
                .setSum(2.5)
                .addQuantileValues(
                    SummaryDataPoint.ValueAtQuantile.newBuilder().setQuantile(0.5).setValue(0.6)));
    assertComesBack(
        summary,
        point(
            "summary",
            "cumulative",
            new Histogram(
                4L,
                2.5,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(0.5),
                List.of(0.6))));
  }

  @Test
  void pointsOfOneMetricKeepTheirOrder() {
    RawPoint first = point("gauge", "instant", new Numbers(1.0, false, null));
    RawPoint second = point("gauge", "instant", new Numbers(2.0, false, null));

    ExportMetricsServiceRequest rebuilt = ReconstructedRequest.of(List.of(first, second));

    List<NumberDataPoint> points =
        rebuilt
            .getResourceMetrics(0)
            .getScopeMetrics(0)
            .getMetrics(0)
            .getGauge()
            .getDataPointsList();
    assertEquals(List.of(1.0, 2.0), points.stream().map(NumberDataPoint::getAsDouble).toList());
  }

  @Test
  void unknownKindIsSaid() {
    RawPoint odd = point("spectrum", "instant", Numbers.NONE);

    Throwable thrown =
        assertThrows(IllegalStateException.class, () -> ReconstructedRequest.of(List.of(odd)));

    assertEquals("raw_points holds a point of unknown metric_type 'spectrum'", thrown.getMessage());
  }

  private static void assertComesBack(Metric.Builder sent, RawPoint row) {
    ExportMetricsServiceRequest expected =
        ExportMetricsServiceRequest.newBuilder()
            .addResourceMetrics(
                ResourceMetrics.newBuilder()
                    .setResource(Resource.newBuilder().addAttributes(label("service.name", "shop")))
                    .addScopeMetrics(ScopeMetrics.newBuilder().addMetrics(sent)))
            .build();
    assertEquals(expected, ReconstructedRequest.of(List.of(row)));
  }

  private static NumberDataPoint.Builder number() {
    return NumberDataPoint.newBuilder()
        .addAttributes(label("zone", "1"))
        .setStartTimeUnixNano(START)
        .setTimeUnixNano(TIME);
  }

  private static KeyValue label(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  private static RawPoint point(String type, String temporality, Numbers numbers) {
    return point(type, temporality, numbers, Histogram.NONE);
  }

  private static RawPoint point(String type, String temporality, Histogram histogram) {
    return point(type, temporality, Numbers.NONE, histogram);
  }

  private static RawPoint point(
      String type, String temporality, Numbers numbers, Histogram histogram) {
    return new RawPoint(
        "env-a",
        "m",
        type,
        "1",
        Map.of("service.name", "shop"),
        Map.of("zone", "1"),
        temporality,
        START,
        TIME,
        0,
        numbers,
        histogram,
        1_772_323_211_000L,
        "0".repeat(64),
        0,
        0,
        0);
  }
}
