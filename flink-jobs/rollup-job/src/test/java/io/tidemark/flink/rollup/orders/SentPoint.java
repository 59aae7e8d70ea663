package io.tidemark.flink.rollup.orders;

import static java.util.Objects.requireNonNull;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.DataPointFlags;
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
import io.tidemark.flink.testing.TestBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One point as its sender knows it: as OTLP for the job, as a table row for the recomputation.
 *
 * @param metric name; the kind is part of it
 * @param labels of the point
 * @param startNanos since when a total runs; 0 when not told
 * @param timeNanos its time by the sender's clock
 * @param isRecorded false for a point that says "no value"
 * @param value of a number
 * @param histogram null for numbers
 */
record SentPoint(
    Kind kind,
    String metric,
    Labels labels,
    long startNanos,
    long timeNanos,
    boolean isRecorded,
    double value,
    @Nullable SentHistogram histogram) {

  /**
   * @param client empty when the series has no such label
   */
  record Labels(String zone, String client) {}

  /** What is sent, and how the product names and reads it. */
  enum Kind {
    GAUGE("gauge", "value"),
    DELTA_COUNTER("counter", "value"),
    LEVEL("gauge", "value"),
    TOTAL("counter", "total"),
    DELTA_HISTOGRAM("histogram", "observations"),
    TOTAL_HISTOGRAM("histogram", "all observations"),
    DELTA_EXPONENTIAL("exponential_histogram", "observations"),
    TOTAL_EXPONENTIAL("exponential_histogram", "all observations"),
    SUMMARY("summary", "all observations");

    final String metricType;
    final String form;

    Kind(String metricType, String form) {
      this.metricType = metricType;
      this.form = form;
    }

    /** Whether a point holds everything since the start. */
    boolean isRunning() {
      return form.equals("total") || form.equals("all observations");
    }

    boolean hasObservations() {
      return form.endsWith("observations");
    }

    boolean isExponential() {
      return this == DELTA_EXPONENTIAL || this == TOTAL_EXPONENTIAL;
    }
  }

  Metric.Builder otlp() {
    Metric.Builder sent = Metric.newBuilder().setName(metric).setUnit("1");
    return switch (kind) {
      case GAUGE -> sent.setGauge(Gauge.newBuilder().addDataPoints(number()));
      case DELTA_COUNTER -> sent.setSum(sum(true).addDataPoints(number()));
      case LEVEL -> sent.setSum(sum(false).addDataPoints(number()));
      case TOTAL -> sent.setSum(sum(true).addDataPoints(number()));
      case DELTA_HISTOGRAM, TOTAL_HISTOGRAM ->
          sent.setHistogram(
              Histogram.newBuilder()
                  .setAggregationTemporality(temporality())
                  .addDataPoints(explicit()));
      case DELTA_EXPONENTIAL, TOTAL_EXPONENTIAL ->
          sent.setExponentialHistogram(
              ExponentialHistogram.newBuilder()
                  .setAggregationTemporality(temporality())
                  .addDataPoints(exponential()));
      case SUMMARY -> sent.setSummary(Summary.newBuilder().addDataPoints(summary()));
    };
  }

  /** Columns of the table {@code points} after batch, place and organisation, for COPY. */
  String columns(String resource) {
    return String.join(
        "\t",
        metric,
        kind.metricType,
        "1",
        resource,
        labels.zone(),
        labels.client(),
        kind.form,
        Boolean.toString(isRecorded),
        Long.toString(startNanos),
        Long.toString(timeNanos),
        histogram == null
            ? value + "\t" + SentHistogram.absent(12)
            : "\\N\t" + histogram.columns());
  }

  private Sum.Builder sum(boolean isMonotonic) {
    return Sum.newBuilder().setIsMonotonic(isMonotonic).setAggregationTemporality(temporality());
  }

  private AggregationTemporality temporality() {
    return kind.isRunning() || kind == Kind.LEVEL
        ? AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE
        : AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
  }

  private NumberDataPoint.Builder number() {
    NumberDataPoint.Builder point =
        NumberDataPoint.newBuilder()
            .setStartTimeUnixNano(startNanos)
            .setTimeUnixNano(timeNanos)
            .setFlags(flags())
            .addAllAttributes(attributes());
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? point.setAsInt((long) value)
        : point.setAsDouble(value);
  }

  private HistogramDataPoint.Builder explicit() {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(startNanos)
            .setTimeUnixNano(timeNanos)
            .setFlags(flags())
            .addAllAttributes(attributes());
    observed().into(point);
    return point;
  }

  private ExponentialHistogramDataPoint.Builder exponential() {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(startNanos)
            .setTimeUnixNano(timeNanos)
            .setFlags(flags())
            .addAllAttributes(attributes());
    observed().into(point);
    return point;
  }

  private SummaryDataPoint.Builder summary() {
    return SummaryDataPoint.newBuilder()
        .setStartTimeUnixNano(startNanos)
        .setTimeUnixNano(timeNanos)
        .setFlags(flags())
        .addAllAttributes(attributes())
        .setCount(observed().count())
        .setSum(requireNonNull(observed().sum()));
  }

  private SentHistogram observed() {
    return requireNonNull(histogram);
  }

  private int flags() {
    return isRecorded ? 0 : DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE;
  }

  private List<KeyValue> attributes() {
    List<KeyValue> attributes = new ArrayList<>();
    if (!labels.client().isEmpty()) {
      attributes.add(TestBatch.attribute("client", labels.client()).build());
    }
    attributes.add(TestBatch.attribute("zone", labels.zone()).build());
    return attributes;
  }
}
