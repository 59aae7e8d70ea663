package io.tidemark.flink.io.points;

import static io.tidemark.flink.io.points.TestingDecodedPointConsumer.NOW_NANOS;
import static io.tidemark.flink.io.points.TestingDecodedPointConsumer.decode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpDecoderTest {

  private static final AggregationTemporality DELTA =
      AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
  private static final AggregationTemporality CUMULATIVE =
      AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;

  @Test
  void gaugeIsAValueWithItsSeriesAndPosition() {
    TestingDecodedPointConsumer decoded =
        decode(
            request(
                gauge("cpu", number(0.25).addAttributes(text("zone", "1"))).setUnit("1"),
                gauge("cpu", number(0.5))));

    MetricPoint point = decoded.points.get(0);
    assertEquals("cpu", point.series().metric());
    assertEquals(MetricKind.GAUGE, point.series().kind());
    assertEquals("1", point.series().unit());
    assertEquals("org-a", point.series().organizationId());
    assertEquals("env-a", point.series().environmentId());
    assertEquals(Map.of("service.name", "shop"), point.series().resource());
    assertEquals(Map.of("zone", "1"), point.series().attributes());
    assertEquals(NOW_NANOS, point.timeUnixNano());
    assertEquals(Contribution.ofValue(0.25), point.contribution());
    assertEquals("3-77-0", point.position().toString());
    assertEquals("3-77-1", decoded.points.get(1).position().toString());
  }

  @Test
  void deltaSumsAddTheirValue() {
    TestingDecodedPointConsumer decoded =
        decode(request(sum("up", true, DELTA, number(3)), sum("updown", false, DELTA, number(-3))));

    assertEquals(MetricKind.COUNTER, decoded.points.get(0).series().kind());
    assertEquals(Contribution.ofValue(3), decoded.points.get(0).contribution());
    assertEquals(MetricKind.UPDOWN_COUNTER, decoded.points.get(1).series().kind());
    assertEquals(Contribution.ofValue(-3), decoded.points.get(1).contribution());
  }

  @Test
  void cumulativeCounterIsAReading() {
    NumberDataPoint.Builder point = number(30).setStartTimeUnixNano(NOW_NANOS - 5);

    MetricPoint decoded = decode(request(sum("up", true, CUMULATIVE, point))).points.get(0);

    assertEquals(null, decoded.contribution());
    CumulativeReading reading = decoded.cumulative();
    assertEquals(30, reading.sum());
    assertEquals(0, reading.count());
    assertEquals(NOW_NANOS - 5, reading.startUnixNano());
    assertEquals(TestingDecodedPointConsumer.RECEIVED, reading.receivedAtUnixMs());
  }

  @Test
  void cumulativeSumThatMayShrinkIsALevel() {
    MetricPoint point = decode(request(sum("queue", false, CUMULATIVE, number(12)))).points.get(0);

    assertEquals(MetricKind.GAUGE, point.series().kind());
    assertEquals(Contribution.ofValue(12), point.contribution());
  }

  @Test
  void wholeNumbersAreValues() {
    NumberDataPoint.Builder point =
        NumberDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS).setAsInt(-7);

    assertEquals(
        Contribution.ofValue(-7), decode(request(gauge("g", point))).points.get(0).contribution());
  }

  @Test
  void histogramsAddCountSumAndExtremes() {
    Contribution histogram =
        decode(
                request(
                    histogram(
                        DELTA,
                        observations(5)
                            .setSum(12.5)
                            .setMin(1)
                            .setMax(4)
                            .addAllExplicitBounds(Arrays.asList(2.0))
                            .addAllBucketCounts(Arrays.asList(2L, 3L)))))
            .points
            .get(0)
            .contribution();
    Contribution bare =
        decode(request(histogram(DELTA, observations(5)))).points.get(0).contribution();

    // Two up to 2, read as 1; three above it.
    assertEquals(
        Contribution.ofObservations(5, 12.5, 1, 4).with(distribution(1024, 2, 1033, 3)), histogram);
    assertEquals(Contribution.ofObservations(5, Double.NaN, Double.NaN, Double.NaN), bare);
  }

  @Test
  void exponentialHistogramsAddCountSumAndExtremes() {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .setTimeUnixNano(NOW_NANOS)
            .setCount(6)
            .setZeroCount(1)
            .setSum(9)
            .setMin(-2)
            .setMax(5);
    point.getPositiveBuilder().addBucketCounts(3);
    point.getNegativeBuilder().addBucketCounts(2);
    Metric.Builder metric =
        Metric.newBuilder()
            .setName("h")
            .setExponentialHistogram(
                ExponentialHistogram.newBuilder()
                    .setAggregationTemporality(DELTA)
                    .addDataPoints(point));

    MetricPoint decoded = decode(request(metric)).points.get(0);

    assertEquals(MetricKind.EXPONENTIAL_HISTOGRAM, decoded.series().kind());
    // Scale 0: buckets (1, 2] and (-2, -1], read at their geometric middle.
    assertEquals(
        Contribution.ofObservations(6, 9, -2, 5).with(distribution(-1028, 2, 0, 1, 1028, 3)),
        decoded.contribution());
  }

  @Test
  void summariesAreRunningTotals() {
    Metric.Builder metric =
        Metric.newBuilder()
            .setName("s")
            .setSummary(
                Summary.newBuilder()
                    .addDataPoints(
                        SummaryDataPoint.newBuilder()
                            .setTimeUnixNano(NOW_NANOS)
                            .setCount(4)
                            .setSum(10)));

    MetricPoint decoded = decode(request(metric)).points.get(0);

    assertEquals(MetricKind.SUMMARY, decoded.series().kind());
    assertEquals(10, decoded.cumulative().sum());
    assertEquals(4, decoded.cumulative().count());
  }

  /** A sender may change between scales that the grid holds exactly; others are told apart. */
  @Test
  void cumulativeHistogramsKeepTheirBuckets() {
    CumulativeReading fine = cumulativeExponential(20, 3 << 17);
    CumulativeReading exact = cumulativeExponential(3, 3);
    CumulativeReading coarse = cumulativeExponential(1, 0);
    CumulativeReading explicit =
        decode(
                request(
                    histogram(
                        CUMULATIVE,
                        observations(5)
                            .addExplicitBounds(2)
                            .addBucketCounts(2)
                            .addBucketCounts(3))))
            .points
            .get(0)
            .cumulative();

    assertEquals(distribution(1028, 5), fine.distribution());
    assertEquals(exact.distribution(), fine.distribution());
    assertEquals(exact.layout(), fine.layout());
    assertTrue(coarse.layout() != exact.layout());
    assertEquals(distribution(1024, 2, 1033, 3), explicit.distribution());
    assertTrue(explicit.layout() < 0);
  }

  /** The buckets are known to be empty: what comes after is all of the next delta. */
  @Test
  void cumulativeHistogramBeforeItsFirstObservationHasBuckets() {
    ExponentialHistogramDataPoint.Builder point = exponentialPoint().setCount(0).setScale(20);

    CumulativeReading reading =
        decode(request(exponential(CUMULATIVE, point))).points.get(0).cumulative();

    assertEquals(new Distribution(), reading.distribution());
    assertEquals(cumulativeExponential(3, 3).layout(), reading.layout());
  }

  @Test
  void cumulativeHistogramKeepsItsCount() {
    MetricPoint decoded =
        decode(request(histogram(CUMULATIVE, observations(5).setSum(2)))).points.get(0);

    assertEquals(5, decoded.cumulative().count());
    assertEquals(2, decoded.cumulative().sum());
  }

  @Test
  void attributesBecomeTextAndTheLastOfAKeyCounts() {
    AnyValue list =
        AnyValue.newBuilder()
            .setArrayValue(
                ArrayValue.newBuilder()
                    .addValues(AnyValue.newBuilder().setIntValue(1))
                    .addValues(AnyValue.newBuilder().setStringValue("a\"b")))
            .build();
    AnyValue map =
        AnyValue.newBuilder()
            .setKvlistValue(KeyValueList.newBuilder().addValues(text("k", "v")))
            .build();
    NumberDataPoint.Builder point =
        number(1)
            .addAttributes(text("twice", "first"))
            .addAttributes(text("twice", "second"))
            .addAttributes(any("int", AnyValue.newBuilder().setIntValue(42).build()))
            .addAttributes(any("bool", AnyValue.newBuilder().setBoolValue(true).build()))
            .addAttributes(any("double", AnyValue.newBuilder().setDoubleValue(1.5).build()))
            .addAttributes(
                any(
                    "bytes",
                    AnyValue.newBuilder()
                        .setBytesValue(ByteString.copyFrom(new byte[] {1, 2}))
                        .build()))
            .addAttributes(any("list", list))
            .addAttributes(any("map", map))
            .addAttributes(KeyValue.newBuilder().setKey("none"));

    Map<String, String> labels =
        decode(request(gauge("g", point))).points.get(0).series().attributes();

    assertEquals(
        Map.of(
            "twice", "second",
            "int", "42",
            "bool", "true",
            "double", "1.5",
            "bytes", "AQI=",
            "list", "[1,\"a\\\"b\"]",
            "map", "{\"k\":\"v\"}",
            "none", ""),
        labels);
  }

  @Test
  void noRecordedValueIsSkippedAndCounted() {
    TestingDecodedPointConsumer decoded =
        decode(request(gauge("g", number(Double.NaN).setFlags(1)), gauge("g", number(1))));

    assertEquals(1, decoded.withoutValue);
    assertEquals(1, decoded.points.size());
    assertEquals("3-77-1", decoded.points.get(0).position().toString());
    assertTrue(decoded.deadLetters.isEmpty());
  }

  @Test
  void staleMarkersAreNoRecordedValue() {
    double stale = Double.longBitsToDouble(0x7ff0_0000_0000_0002L);
    TestingDecodedPointConsumer decoded =
        decode(
            request(
                gauge("g", number(stale)),
                sum("up", true, CUMULATIVE, number(stale)),
                histogram(DELTA, observations(0).setSum(stale)),
                exponential(CUMULATIVE, exponentialPoint().setSum(stale)),
                gauge("g", number(1))));

    assertEquals(4, decoded.withoutValue);
    assertEquals(1, decoded.points.size());
    assertTrue(decoded.deadLetters.isEmpty());
  }

  @Test
  void negativeZeroIsZero() {
    TestingDecodedPointConsumer decoded =
        decode(
            request(
                gauge("g", number(-0.0)),
                sum("up", true, CUMULATIVE, number(-0.0)),
                histogram(DELTA, observations(1).setSum(-0.0).setMin(-0.0).setMax(-0.0))));

    assertEquals(Contribution.ofValue(0.0), decoded.points.get(0).contribution());
    assertEquals(0, Double.compare(0.0, decoded.points.get(1).cumulative().sum()));
    assertEquals(
        Contribution.ofObservations(1, 0.0, 0.0, 0.0), decoded.points.get(2).contribution());
  }

  @Test
  void oneBadPointDoesNotTakeTheOthersWithIt() {
    byte[] value =
        request(
            gauge("g", number(1)),
            gauge("g", number(Double.POSITIVE_INFINITY)),
            gauge("g", number(2)),
            gauge("g", number(Double.NaN)));

    TestingDecodedPointConsumer decoded = decode(value);

    assertEquals(2, decoded.points.size());
    DeadLetter letter = decoded.deadLetters.get(0);
    assertEquals(1, decoded.deadLetters.size());
    assertEquals(RejectionReason.VALUE_NOT_FINITE, letter.reason());
    assertEquals(2, letter.pointCount());
    assertArrayEquals(new int[] {1, 3}, letter.pointIndexes());
    assertArrayEquals(value, letter.original());
    assertEquals("org-a", letter.organizationId());
    assertEquals("points", letter.sourceTopic());
    assertEquals(3, letter.sourcePartition());
    assertEquals(77, letter.sourceOffset());
    assertEquals("decode", letter.stage());
    assertTrue(letter.detail().contains("number 1 of the batch"), letter.detail());
  }

  @Test
  void eachFaultHasItsReason() {
    assertReason(RejectionReason.METRIC_NAME_MISSING, 1, gauge("", number(1)));
    assertReason(RejectionReason.METRIC_TYPE_UNSUPPORTED, 0, Metric.newBuilder().setName("m"));
    assertReason(
        RejectionReason.VALUE_MISSING,
        1,
        gauge("g", NumberDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS)));
    assertReason(
        RejectionReason.LABEL_INVALID, 1, gauge("g", number(1).addAttributes(text("", "x"))));
    assertReason(
        RejectionReason.TIMESTAMP_OUT_OF_RANGE, 1, gauge("g", number(1).setTimeUnixNano(0)));
    assertReason(
        RejectionReason.TIMESTAMP_OUT_OF_RANGE,
        1,
        gauge("g", number(1).setTimeUnixNano(NOW_NANOS + 601_000_000_000L)));
    assertReason(
        RejectionReason.TOO_LATE,
        1,
        gauge("g", number(1).setTimeUnixNano(NOW_NANOS - 31 * 86_400_000_000_000L - 1_000_000L)));
    assertReason(
        RejectionReason.TEMPORALITY_UNSPECIFIED,
        1,
        sum("s", false, AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED, number(1)));
    assertReason(RejectionReason.HISTOGRAM_INVALID, 1, histogram(DELTA, observations(-1)));
    assertReason(
        RejectionReason.HISTOGRAM_INVALID, 1, histogram(DELTA, observations(5).addBucketCounts(4)));
    assertReason(
        RejectionReason.HISTOGRAM_INVALID,
        1,
        histogram(DELTA, observations(5).addBucketCounts(5).addExplicitBounds(1)));
    assertReason(
        RejectionReason.HISTOGRAM_INVALID,
        1,
        histogram(DELTA, observations(5).setMin(2).setMax(1)));
    assertReason(RejectionReason.HISTOGRAM_INVALID, 1, histogram(DELTA, observations(0).setSum(1)));
    assertReason(
        RejectionReason.VALUE_NOT_FINITE, 1, histogram(DELTA, observations(1).setSum(Double.NaN)));
  }

  @Test
  void absurdHistogramsAreInvalid() {
    for (int[] scaleAndOffset :
        new int[][] {
          {0, Integer.MAX_VALUE}, {0, Integer.MIN_VALUE}, {20, 1 << 30}, {-10, 1}, {21, 0}, {-11, 0}
        }) {
      ExponentialHistogramDataPoint.Builder point =
          exponentialPoint().setCount(1).setScale(scaleAndOffset[0]);
      point.getPositiveBuilder().setOffset(scaleAndOffset[1]).addBucketCounts(1);
      assertReason(RejectionReason.HISTOGRAM_INVALID, 1, exponential(DELTA, point));
      point.setNegative(point.getPositive()).clearPositive();
      assertReason(RejectionReason.HISTOGRAM_INVALID, 1, exponential(DELTA, point));
    }
    ExponentialHistogramDataPoint.Builder many = exponentialPoint().setCount(1).setZeroCount(1);
    many.getPositiveBuilder().addAllBucketCounts(Collections.nCopies(16_385, 0L));
    assertReason(RejectionReason.HISTOGRAM_INVALID, 1, exponential(DELTA, many));
    ExponentialHistogramDataPoint.Builder wrong = exponentialPoint().setCount(3).setZeroCount(1);
    wrong.getPositiveBuilder().addBucketCounts(1);
    assertReason(RejectionReason.HISTOGRAM_INVALID, 1, exponential(DELTA, wrong));
    // Counts whose sum wraps around to the right one.
    ExponentialHistogramDataPoint.Builder wrapping = exponentialPoint().setCount(2);
    wrapping.getPositiveBuilder().addBucketCounts(-1).addBucketCounts(3);
    assertReason(RejectionReason.HISTOGRAM_INVALID, 1, exponential(DELTA, wrapping));
    for (List<Double> bounds :
        List.of(List.of(1.0, 1.0), List.of(2.0, 1.0), List.of(Double.NaN, 1.0))) {
      assertReason(
          RejectionReason.HISTOGRAM_INVALID,
          1,
          histogram(
              DELTA,
              observations(1)
                  .addAllExplicitBounds(bounds)
                  .addAllBucketCounts(List.of(1L, 0L, 0L))));
    }
  }

  /** What no bucket depends on does no harm. */
  @Test
  void absurdScalesAndOffsetsOfEmptyBucketsAreIgnored() {
    ExponentialHistogramDataPoint.Builder point =
        exponentialPoint().setCount(2).setZeroCount(2).setScale(99);
    point.getPositiveBuilder().setOffset(Integer.MAX_VALUE).addBucketCounts(0);

    assertEquals(
        distribution(0, 2),
        decode(request(exponential(DELTA, point))).points.get(0).contribution().distribution());
  }

  @Test
  void observationsBeyondTheGridAreInItsOutermostBuckets() {
    ExponentialHistogramDataPoint.Builder point = exponentialPoint().setCount(6);
    point.getPositiveBuilder().setOffset(1023).addBucketCounts(1);
    point.getNegativeBuilder().setOffset(-1000).addBucketCounts(2).addBucketCounts(3);

    assertEquals(
        distribution(0, 5, 2048, 1),
        decode(request(exponential(DELTA, point))).points.get(0).contribution().distribution());
  }

  @Test
  void unknownTemporalityNumberIsUnspecified() {
    Metric.Builder metric =
        Metric.newBuilder()
            .setName("s")
            .setSum(Sum.newBuilder().setAggregationTemporalityValue(9).addDataPoints(number(1)));

    assertReason(RejectionReason.TEMPORALITY_UNSPECIFIED, 1, metric);
  }

  @Test
  void emptyHistogramMayCarryInfiniteExtremes() {
    HistogramDataPoint.Builder point =
        observations(0).setMin(Double.POSITIVE_INFINITY).setMax(Double.NEGATIVE_INFINITY);

    assertEquals(
        Contribution.ofObservations(0, Double.NaN, Double.NaN, Double.NaN),
        decode(request(histogram(DELTA, point))).points.get(0).contribution());
  }

  @Test
  void requestWithoutPointsIsNothing() {
    TestingDecodedPointConsumer decoded = decode(new byte[0]);

    assertTrue(decoded.points.isEmpty());
    assertTrue(decoded.deadLetters.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"not protobuf", "{\"resourceMetrics\":[]}", "\n\u00ff"})
  void otherBytesAreUndecodable(String text) {
    TestingDecodedPointConsumer decoded =
        decode(text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));

    assertEquals(Map.of(RejectionReason.UNDECODABLE, 0L), decoded.rejected());
  }

  @Test
  void originalIsCutAndItsSizeKept() {
    byte[] large = new byte[DeadLetter.ORIGINAL_LIMIT + 5];
    Arrays.fill(large, (byte) 0xff);

    DeadLetter letter = decode(large).deadLetters.get(0);

    assertEquals(DeadLetter.ORIGINAL_LIMIT, letter.original().length);
    assertEquals(large.length, letter.originalSize());
  }

  @Test
  void recordWithoutEnvelopeIsOneDeadLetter() {
    TestingDecodedPointConsumer decoded = new TestingDecodedPointConsumer();
    byte[] value = request(gauge("g", number(1)));
    PointsRecord record = new PointsRecord("points", 1, 2, "", "env-a", "", "", 0, value);

    new OtlpDecoder(io.tidemark.flink.model.point.PointTimeLimits.DEFAULT).decode(record, decoded);

    assertFalse(decoded.points.size() > 0);
    assertEquals(RejectionReason.MISSING_ENVELOPE, decoded.deadLetters.get(0).reason());
    assertArrayEquals(value, decoded.deadLetters.get(0).original());
  }

  /** A dead letter of the roll-up stage can be sent again and means the same. */
  @ParameterizedTest
  @EnumSource(
      value = MetricKind.class,
      names = {"GAUGE", "UPDOWN_COUNTER"},
      mode = EnumSource.Mode.EXCLUDE)
  void rebuiltReadingDecodesToItself(MetricKind kind) {
    io.tidemark.flink.model.series.SeriesDescriptor series =
        new io.tidemark.flink.model.series.SeriesDescriptor(
            "org-a", "env-a", "m", kind, "By", Map.of("service.name", "x"), Map.of("a", "b"));
    CumulativeReading reading =
        new CumulativeReading(
            NOW_NANOS - 9,
            12.5,
            kind == MetricKind.COUNTER ? 0 : 3,
            "0123456789abcdef".repeat(4),
            TestingDecodedPointConsumer.RECEIVED);

    MetricPoint point = decode(ReadingRequest.of(series, NOW_NANOS, reading)).points.get(0);

    assertEquals(series, point.series());
    assertEquals(reading, point.cumulative());
    assertEquals(NOW_NANOS, point.timeUnixNano());
  }

  @Test
  void rebuiltExponentialHistogramKeepsItsBuckets() {
    ExponentialHistogramDataPoint.Builder sent =
        exponentialPoint().setCount(11).setZeroCount(1).setScale(5).setStartTimeUnixNano(4);
    sent.getPositiveBuilder().setOffset(-70).addBucketCounts(2).addBucketCounts(0);
    sent.getPositiveBuilder().addAllBucketCounts(List.of(0L, 0L, 0L, 3L));
    sent.getNegativeBuilder().setOffset(50).addBucketCounts(5);
    MetricPoint point = decode(request(exponential(CUMULATIVE, sent))).points.get(0);

    MetricPoint again =
        decode(ReadingRequest.of(point.series(), NOW_NANOS, point.cumulative())).points.get(0);

    assertEquals(4, again.cumulative().distribution().size());
    assertEquals(point.cumulative(), again.cumulative());
  }

  private static void assertReason(RejectionReason reason, long points, Metric.Builder metric) {
    TestingDecodedPointConsumer decoded = decode(request(metric));
    assertEquals(Map.of(reason, points), decoded.rejected());
    assertTrue(decoded.points.isEmpty());
  }

  static byte[] request(Metric.Builder... metrics) {
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
    for (Metric.Builder metric : metrics) {
      scope.addMetrics(metric);
    }
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(Resource.newBuilder().addAttributes(text("service.name", "shop")))
                .addScopeMetrics(scope))
        .build()
        .toByteArray();
  }

  static Metric.Builder gauge(String name, NumberDataPoint.Builder point) {
    return Metric.newBuilder().setName(name).setGauge(Gauge.newBuilder().addDataPoints(point));
  }

  static Metric.Builder sum(
      String name,
      boolean monotonic,
      AggregationTemporality temporality,
      NumberDataPoint.Builder point) {
    return Metric.newBuilder()
        .setName(name)
        .setSum(
            Sum.newBuilder()
                .setIsMonotonic(monotonic)
                .setAggregationTemporality(temporality)
                .addDataPoints(point));
  }

  static Metric.Builder histogram(
      AggregationTemporality temporality, HistogramDataPoint.Builder point) {
    return Metric.newBuilder()
        .setName("h")
        .setHistogram(
            Histogram.newBuilder().setAggregationTemporality(temporality).addDataPoints(point));
  }

  static Metric.Builder exponential(
      AggregationTemporality temporality, ExponentialHistogramDataPoint.Builder point) {
    return Metric.newBuilder()
        .setName("e")
        .setExponentialHistogram(
            ExponentialHistogram.newBuilder()
                .setAggregationTemporality(temporality)
                .addDataPoints(point));
  }

  static ExponentialHistogramDataPoint.Builder exponentialPoint() {
    return ExponentialHistogramDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS);
  }

  /** Five observations in one bucket. */
  private static CumulativeReading cumulativeExponential(int scale, int offset) {
    ExponentialHistogramDataPoint.Builder point = exponentialPoint().setCount(5).setScale(scale);
    point.getPositiveBuilder().setOffset(offset).addBucketCounts(5);
    return decode(request(exponential(CUMULATIVE, point))).points.get(0).cumulative();
  }

  private static Distribution distribution(int... bucketsAndCounts) {
    Distribution distribution = new Distribution();
    for (int i = 0; i < bucketsAndCounts.length; i += 2) {
      distribution.append(bucketsAndCounts[i], bucketsAndCounts[i + 1]);
    }
    return distribution;
  }

  static HistogramDataPoint.Builder observations(long count) {
    return HistogramDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS).setCount(count);
  }

  static NumberDataPoint.Builder number(double value) {
    return NumberDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS).setAsDouble(value);
  }

  static KeyValue.Builder text(String key, String value) {
    return any(key, AnyValue.newBuilder().setStringValue(value).build());
  }

  private static KeyValue.Builder any(String key, AnyValue value) {
    return KeyValue.newBuilder().setKey(key).setValue(value);
  }
}
