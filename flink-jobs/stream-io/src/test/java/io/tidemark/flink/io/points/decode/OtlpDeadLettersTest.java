package io.tidemark.flink.io.points.decode;

import static io.tidemark.flink.io.points.OtlpRequests.DELTA;
import static io.tidemark.flink.io.points.OtlpRequests.exponential;
import static io.tidemark.flink.io.points.OtlpRequests.exponentialPoint;
import static io.tidemark.flink.io.points.OtlpRequests.gauge;
import static io.tidemark.flink.io.points.OtlpRequests.histogram;
import static io.tidemark.flink.io.points.OtlpRequests.number;
import static io.tidemark.flink.io.points.OtlpRequests.observations;
import static io.tidemark.flink.io.points.OtlpRequests.request;
import static io.tidemark.flink.io.points.OtlpRequests.sum;
import static io.tidemark.flink.io.points.OtlpRequests.text;
import static io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer.NOW_NANOS;
import static io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer.decode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be decoded becomes a dead letter with its reason, and takes nothing else with it. */
class OtlpDeadLettersTest {

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

  @Test
  void unknownTemporalityNumberIsUnspecified() {
    Metric.Builder metric =
        Metric.newBuilder()
            .setName("s")
            .setSum(Sum.newBuilder().setAggregationTemporalityValue(9).addDataPoints(number(1)));

    assertReason(RejectionReason.TEMPORALITY_UNSPECIFIED, 1, metric);
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

  private static void assertReason(RejectionReason reason, long points, Metric.Builder metric) {
    TestingDecodedPointConsumer decoded = decode(request(metric));
    assertEquals(Map.of(reason, points), decoded.rejected());
    assertTrue(decoded.points.isEmpty());
  }
}
