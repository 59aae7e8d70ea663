package io.tidemark.flink.io.points.decode;

import static io.tidemark.flink.io.points.OtlpRequests.CUMULATIVE;
import static io.tidemark.flink.io.points.OtlpRequests.DELTA;
import static io.tidemark.flink.io.points.OtlpRequests.exponential;
import static io.tidemark.flink.io.points.OtlpRequests.exponentialPoint;
import static io.tidemark.flink.io.points.OtlpRequests.histogram;
import static io.tidemark.flink.io.points.OtlpRequests.observations;
import static io.tidemark.flink.io.points.OtlpRequests.request;
import static io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer.NOW_NANOS;
import static io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer.decode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of the buckets, counts and extremes of histograms. */
class OtlpHistogramsTest {

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
  void emptyHistogramMayCarryInfiniteExtremes() {
    HistogramDataPoint.Builder point =
        observations(0).setMin(Double.POSITIVE_INFINITY).setMax(Double.NEGATIVE_INFINITY);

    assertEquals(
        Contribution.ofObservations(0, Double.NaN, Double.NaN, Double.NaN),
        decode(request(histogram(DELTA, point))).points.get(0).contribution());
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
}
