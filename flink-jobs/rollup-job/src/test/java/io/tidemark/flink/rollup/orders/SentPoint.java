package io.tidemark.flink.rollup.orders;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.DataPointFlags;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.tidemark.flink.testing.TestBatch;
import java.util.List;

/**
 * One point as its sender knows it: as OTLP for the job, as a table row for the recomputation.
 *
 * @param metric name; the kind is part of it
 * @param zone the only label
 * @param startNanos since when a total runs; 0 when not told
 * @param timeNanos its time by the sender's clock
 * @param isRecorded false for a point that says "no value"
 * @param value of a number; sum of a histogram
 * @param observations of a histogram, each at least once; empty for numbers
 */
record SentPoint(
    Kind kind,
    String metric,
    String zone,
    long startNanos,
    long timeNanos,
    boolean isRecorded,
    double value,
    List<Double> observations) {

  /** What is sent, and how the product names and reads it. */
  enum Kind {
    GAUGE("gauge", "value"),
    DELTA_COUNTER("counter", "value"),
    LEVEL("updown_counter", "value"),
    TOTAL("counter", "total"),
    DELTA_HISTOGRAM("histogram", "observations");

    final String metricType;
    final String form;

    Kind(String metricType, String form) {
      this.metricType = metricType;
      this.form = form;
    }
  }

  Metric.Builder otlp() {
    Metric.Builder sent = Metric.newBuilder().setName(metric).setUnit("1");
    return switch (kind) {
      case GAUGE -> sent.setGauge(Gauge.newBuilder().addDataPoints(number()));
      case DELTA_COUNTER ->
          sent.setSum(
              sum(true, AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                  .addDataPoints(number()));
      case LEVEL ->
          sent.setSum(
              sum(false, AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
                  .addDataPoints(number()));
      case TOTAL ->
          sent.setSum(
              sum(true, AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
                  .addDataPoints(number()));
      case DELTA_HISTOGRAM ->
          sent.setHistogram(
              Histogram.newBuilder()
                  .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                  .addDataPoints(histogram()));
    };
  }

  /** Columns of the table {@code points} after batch, place and organisation, for COPY. */
  String columns(String resource) {
    boolean isHistogram = kind == Kind.DELTA_HISTOGRAM;
    String figures =
        isHistogram
            ? "\\N\t" + observations.size() + "\t" + value + "\t" + least() + "\t" + greatest()
            : value + "\t\\N\t\\N\t\\N\t\\N";
    return String.join(
        "\t",
        metric,
        kind.metricType,
        "1",
        resource,
        zone,
        kind.form,
        Boolean.toString(isRecorded),
        Long.toString(startNanos),
        Long.toString(timeNanos),
        figures);
  }

  private static Sum.Builder sum(boolean isMonotonic, AggregationTemporality temporality) {
    return Sum.newBuilder().setIsMonotonic(isMonotonic).setAggregationTemporality(temporality);
  }

  private NumberDataPoint.Builder number() {
    NumberDataPoint.Builder point =
        NumberDataPoint.newBuilder()
            .setStartTimeUnixNano(startNanos)
            .setTimeUnixNano(timeNanos)
            .setFlags(flags())
            .addAttributes(label());
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? point.setAsInt((long) value)
        : point.setAsDouble(value);
  }

  private HistogramDataPoint.Builder histogram() {
    long low = observations.stream().filter(observation -> observation <= 10).count();
    return HistogramDataPoint.newBuilder()
        .setStartTimeUnixNano(startNanos)
        .setTimeUnixNano(timeNanos)
        .setFlags(flags())
        .addAttributes(label())
        .setCount(observations.size())
        .setSum(value)
        .setMin(least())
        .setMax(greatest())
        .addExplicitBounds(10)
        .addBucketCounts(low)
        .addBucketCounts(observations.size() - low);
  }

  private double least() {
    return observations.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  private double greatest() {
    return observations.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  private int flags() {
    return isRecorded ? 0 : DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE;
  }

  private KeyValue.Builder label() {
    return TestBatch.attribute("zone", zone);
  }
}
