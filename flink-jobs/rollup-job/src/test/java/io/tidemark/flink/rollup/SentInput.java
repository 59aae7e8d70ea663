package io.tidemark.flink.rollup;

import static io.opentelemetry.proto.metrics.v1.AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;
import static io.opentelemetry.proto.metrics.v1.AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
import static io.opentelemetry.proto.metrics.v1.AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED;
import static io.tidemark.flink.testing.TestBatch.attribute;
import static io.tidemark.flink.testing.TestTime.nanosAt;

import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.testing.TestBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What senders send, good and bad: each batch with what must become of it. */
final class SentInput {

  static final String TIME = "12:00:05";
  static final String START = "12:00:00";
  static final double STALE = Double.longBitsToDouble(0x7ff0000000000002L);

  /**
   * @param name also the name of its metric
   * @param counted sum, count and number of series in the rows; empty when nothing is counted
   * @param reason of its dead letter; null when there is none
   * @param points in the letter
   * @param indexes of those points; empty when it is about the record as a whole
   */
  record Batch(
      String name,
      byte[] bytes,
      String counted,
      RejectionReason reason,
      int points,
      List<Integer> indexes) {
    @Override
    public String toString() {
      return name;
    }
  }

  private final List<Batch> batches = new ArrayList<>();

  static List<Batch> all() {
    SentInput input = new SentInput();
    input.everyKind();
    input.oddValues();
    input.badPoints();
    input.badTimes();
    input.badHistograms();
    input.badBytes();
    return input.batches;
  }

  private void everyKind() {
    counted("gauge", "1.5/1/1", gauge(number(1.5)));
    counted("whole-number", "7.0/1/1", gauge(number(0).setAsInt(7)));
    counted("delta", "3.0/1/1", sum(AGGREGATION_TEMPORALITY_DELTA, true, number(3)));
    counted("total", "40.0/1/1", sum(AGGREGATION_TEMPORALITY_CUMULATIVE, true, number(40)));
    counted("level", "9.0/1/1", sum(AGGREGATION_TEMPORALITY_CUMULATIVE, false, number(9)));
    for (AggregationTemporality temporality :
        List.of(AGGREGATION_TEMPORALITY_DELTA, AGGREGATION_TEMPORALITY_CUMULATIVE)) {
      String kind = temporality == AGGREGATION_TEMPORALITY_DELTA ? "-delta" : "-total";
      counted(
          "histogram" + kind,
          "12.0/3/1",
          histogram(temporality, observations(12, 2, 1).addExplicitBounds(1)));
      counted(
          "exponential" + kind, "12.0/3/1", exponential(temporality, buckets(3, 0, 3).setSum(12)));
    }
    counted(
        "summary",
        "10.0/4/1",
        Metric.newBuilder()
            .setSummary(
                Summary.newBuilder()
                    .addDataPoints(
                        SummaryDataPoint.newBuilder()
                            .setStartTimeUnixNano(nanosAt(START))
                            .setTimeUnixNano(nanosAt(TIME))
                            .setCount(4)
                            .setSum(10))));
  }

  private void oddValues() {
    counted("no-recorded-value", "", gauge(number(5).setFlags(1)));
    counted("stale-marker", "", gauge(number(STALE)));
    counted("stale-total", "", sum(AGGREGATION_TEMPORALITY_CUMULATIVE, true, number(STALE)));
    counted("minus-zero", "0.0/1/1", gauge(number(-0.0)));
    counted(
        "attributes-in-any-order",
        "3.0/2/1",
        gauge(
            number(1).addAttributes(attribute("a", "1")).addAttributes(attribute("b", "2")),
            number(2).addAttributes(attribute("b", "2")).addAttributes(attribute("a", "1"))));
    counted(
        "attribute-twice",
        "3.0/2/1",
        gauge(
            number(1).addAttributes(attribute("a", "1")).addAttributes(attribute("a", "2")),
            number(2).addAttributes(attribute("a", "2"))));
    NumberDataPoint.Builder wide = number(1);
    for (int i = 0; i < 10_000; i++) {
      wide.addAttributes(attribute("label-" + i, "x"));
    }
    counted("ten-thousand-labels", "1.0/1/1", gauge(wide));
    counted(
        "value-of-a-megabyte",
        "1.0/1/1",
        gauge(number(1).addAttributes(attribute("text", "x".repeat(1_000_000)))));
  }

  private void badPoints() {
    refused(RejectionReason.VALUE_NOT_FINITE, "nan", gauge(number(Double.NaN)));
    refused(RejectionReason.VALUE_NOT_FINITE, "infinity", gauge(number(Double.POSITIVE_INFINITY)));
    refused(
        RejectionReason.VALUE_NOT_FINITE,
        "total-of-minus-infinity",
        sum(AGGREGATION_TEMPORALITY_CUMULATIVE, true, number(Double.NEGATIVE_INFINITY)));
    refused(
        RejectionReason.VALUE_NOT_FINITE,
        "histogram-with-nan",
        histogram(AGGREGATION_TEMPORALITY_DELTA, observations(Double.NaN, 1)));
    refused(
        RejectionReason.VALUE_MISSING,
        "no-value",
        gauge(NumberDataPoint.newBuilder().setTimeUnixNano(nanosAt(TIME))));
    refused(
        RejectionReason.TEMPORALITY_UNSPECIFIED,
        "no-temporality",
        sum(AGGREGATION_TEMPORALITY_UNSPECIFIED, true, number(1)));
    refused(
        RejectionReason.LABEL_INVALID,
        "nameless-attribute",
        gauge(number(1).addAttributes(attribute("", "x"))));
    batches.add(
        batch(
            "no-name",
            bytes("", gauge(number(1))),
            "",
            RejectionReason.METRIC_NAME_MISSING,
            1,
            List.of(0)));
    batches.add(
        batch(
            "no-data",
            bytes("no-data", Metric.newBuilder()),
            "",
            RejectionReason.METRIC_TYPE_UNSUPPORTED,
            0,
            List.of()));
    batches.add(
        batch(
            "one-of-three",
            bytes("one-of-three", gauge(number(1), number(Double.NaN), number(2))),
            "3.0/2/1",
            RejectionReason.VALUE_NOT_FINITE,
            1,
            List.of(1)));
    batches.add(
        batch(
            "longer-than-a-letter",
            bytes(
                "longer-than-a-letter",
                gauge(
                    number(Double.NaN).addAttributes(attribute("text", "x".repeat(1_100_000))),
                    number(2))),
            "2.0/1/1",
            RejectionReason.VALUE_NOT_FINITE,
            1,
            List.of()));
  }

  private void badTimes() {
    RejectionReason none = RejectionReason.TIMESTAMP_OUT_OF_RANGE;
    refused(none, "time-0", gauge(number(1).setTimeUnixNano(0)));
    refused(none, "time-2-to-63", gauge(number(1).setTimeUnixNano(Long.MIN_VALUE)));
    refused(none, "time-below-2-to-63", gauge(number(1).setTimeUnixNano(Long.MAX_VALUE)));
    refused(none, "time-of-all-ones", gauge(number(1).setTimeUnixNano(-1)));
    refused(none, "time-ahead", gauge(number(1).setTimeUnixNano(nanosAt("12:10:07"))));
    refused(RejectionReason.TOO_LATE, "time-1", gauge(number(1).setTimeUnixNano(1)));
    refused(
        RejectionReason.TOO_LATE,
        "histogram-of-1970",
        histogram(AGGREGATION_TEMPORALITY_CUMULATIVE, observations(1, 1).setTimeUnixNano(1)));
    // A start that cannot be believed is no start.
    counted(
        "start-2-to-63",
        "",
        sum(
            AGGREGATION_TEMPORALITY_CUMULATIVE,
            true,
            number(40).setStartTimeUnixNano(Long.MIN_VALUE)));
  }

  private void badHistograms() {
    AggregationTemporality delta = AGGREGATION_TEMPORALITY_DELTA;
    refused(
        RejectionReason.HISTOGRAM_INVALID,
        "too-few-buckets",
        histogram(delta, observations(1, 1).setCount(5)));
    refused(
        RejectionReason.HISTOGRAM_INVALID,
        "bounds-descend",
        histogram(delta, observations(1, 1, 0, 0).addExplicitBounds(2).addExplicitBounds(1)));
    refused(
        RejectionReason.HISTOGRAM_INVALID,
        "counts-wrap-around",
        histogram(delta, observations(1, -1, 3).setCount(2).addExplicitBounds(1)));
    refused(
        RejectionReason.HISTOGRAM_INVALID,
        "greatest-offset",
        exponential(delta, buckets(3, Integer.MAX_VALUE, 1)));
    refused(
        RejectionReason.HISTOGRAM_INVALID,
        "least-offset",
        exponential(AGGREGATION_TEMPORALITY_CUMULATIVE, buckets(3, Integer.MIN_VALUE, 1)));
    refused(
        RejectionReason.HISTOGRAM_INVALID,
        "absurd-scale",
        exponential(delta, buckets(Integer.MIN_VALUE, 0, 1)));
    ExponentialHistogramDataPoint.Builder many = buckets(3, 0, 1);
    many.getPositiveBuilder().addAllBucketCounts(Collections.nCopies(20_000, 0L));
    refused(RejectionReason.HISTOGRAM_INVALID, "too-many-buckets", exponential(delta, many));
  }

  private void badBytes() {
    byte[] good = bytes("truncated", gauge(number(1)));
    undecodable("truncated", Arrays.copyOf(good, good.length - 3));
    byte[] noise = new byte[300];
    new Random(11).nextBytes(noise);
    noise[0] = 0x07;
    undecodable("noise", noise);
    byte[] groups = new byte[100_000];
    Arrays.fill(groups, (byte) 0x0b);
    undecodable("nested-without-end", groups);
    // A length that is longer than everything.
    undecodable("length-of-2-gib", new byte[] {0x0a, -1, -1, -1, -1, 7});
    batches.add(batch("nothing", new byte[0], "", null, 0, List.of()));
  }

  private void counted(String name, String counted, Metric.Builder metric) {
    batches.add(batch(name, bytes(name, metric), counted, null, 0, List.of()));
  }

  private void refused(RejectionReason reason, String name, Metric.Builder metric) {
    batches.add(batch(name, bytes(name, metric), "", reason, 1, List.of(0)));
  }

  private void undecodable(String name, byte[] bytes) {
    batches.add(batch(name, bytes, "", RejectionReason.UNDECODABLE, 0, List.of()));
  }

  private static Batch batch(
      String name,
      byte[] bytes,
      String counted,
      RejectionReason reason,
      int points,
      List<Integer> indexes) {
    return new Batch(name, bytes, counted, reason, points, indexes);
  }

  private static byte[] bytes(String name, Metric.Builder metric) {
    return new TestBatch().add(metric.setName(name)).bytes();
  }

  private static NumberDataPoint.Builder number(double value) {
    return NumberDataPoint.newBuilder()
        .setStartTimeUnixNano(nanosAt(START))
        .setTimeUnixNano(nanosAt(TIME))
        .setAsDouble(value);
  }

  private static Metric.Builder gauge(NumberDataPoint.Builder... points) {
    Gauge.Builder gauge = Gauge.newBuilder();
    for (NumberDataPoint.Builder point : points) {
      gauge.addDataPoints(point);
    }
    return Metric.newBuilder().setGauge(gauge);
  }

  private static Metric.Builder sum(
      AggregationTemporality temporality, boolean isMonotonic, NumberDataPoint.Builder point) {
    return Metric.newBuilder()
        .setSum(
            Sum.newBuilder()
                .setAggregationTemporality(temporality)
                .setIsMonotonic(isMonotonic)
                .addDataPoints(point));
  }

  private static HistogramDataPoint.Builder observations(double sum, long... counts) {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(nanosAt(START))
            .setTimeUnixNano(nanosAt(TIME))
            .setSum(sum);
    for (long count : counts) {
      point.addBucketCounts(count);
    }
    return point.setCount(Arrays.stream(counts).sum());
  }

  private static Metric.Builder histogram(
      AggregationTemporality temporality, HistogramDataPoint.Builder point) {
    return Metric.newBuilder()
        .setHistogram(
            Histogram.newBuilder().setAggregationTemporality(temporality).addDataPoints(point));
  }

  private static ExponentialHistogramDataPoint.Builder buckets(int scale, int offset, long count) {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(nanosAt(START))
            .setTimeUnixNano(nanosAt(TIME))
            .setScale(scale)
            .setCount(count);
    point.getPositiveBuilder().setOffset(offset).addBucketCounts(count);
    return point;
  }

  private static Metric.Builder exponential(
      AggregationTemporality temporality, ExponentialHistogramDataPoint.Builder point) {
    return Metric.newBuilder()
        .setExponentialHistogram(
            ExponentialHistogram.newBuilder()
                .setAggregationTemporality(temporality)
                .addDataPoints(point));
  }
}
