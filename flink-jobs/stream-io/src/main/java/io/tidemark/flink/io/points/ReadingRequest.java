package io.tidemark.flink.io.points;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
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
import io.tidemark.flink.model.distribution.BucketGrid;
import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.series.SeriesDescriptor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An OTLP request with one cumulative reading: what a dead letter of the roll-up stage carries,
 * where the batch's bytes are no longer at hand. Buckets are restored where the grid holds them
 * exactly, of exponential histograms of scale 3 and finer; types of label values are not.
 */
public final class ReadingRequest {

  private ReadingRequest() {}

  public static byte[] of(SeriesDescriptor series, long timeUnixNano, CumulativeReading reading) {
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(Resource.newBuilder().addAllAttributes(attributes(series.resource())))
                .addScopeMetrics(
                    ScopeMetrics.newBuilder().addMetrics(metric(series, timeUnixNano, reading))))
        .build()
        .toByteArray();
  }

  private static Metric metric(SeriesDescriptor series, long time, CumulativeReading reading) {
    Metric.Builder metric = Metric.newBuilder().setName(series.metric()).setUnit(series.unit());
    List<KeyValue> labels = attributes(series.attributes());
    AggregationTemporality cumulative = AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;
    return switch (series.kind()) {
      case GAUGE, COUNTER, UPDOWN_COUNTER ->
          metric
              .setSum(
                  Sum.newBuilder()
                      .setIsMonotonic(true)
                      .setAggregationTemporality(cumulative)
                      .addDataPoints(
                          NumberDataPoint.newBuilder()
                              .addAllAttributes(labels)
                              .setStartTimeUnixNano(reading.startUnixNano())
                              .setTimeUnixNano(time)
                              .setAsDouble(reading.sum())))
              .build();
      case HISTOGRAM -> {
        HistogramDataPoint.Builder point =
            HistogramDataPoint.newBuilder()
                .addAllAttributes(labels)
                .setStartTimeUnixNano(reading.startUnixNano())
                .setTimeUnixNano(time)
                .setCount(reading.count());
        if (!Double.isNaN(reading.sum())) {
          point.setSum(reading.sum());
        }
        yield metric
            .setHistogram(
                Histogram.newBuilder().setAggregationTemporality(cumulative).addDataPoints(point))
            .build();
      }
      case EXPONENTIAL_HISTOGRAM -> {
        ExponentialHistogramDataPoint.Builder point =
            ExponentialHistogramDataPoint.newBuilder()
                .addAllAttributes(labels)
                .setStartTimeUnixNano(reading.startUnixNano())
                .setTimeUnixNano(time)
                .setCount(reading.count());
        if (!Double.isNaN(reading.sum())) {
          point.setSum(reading.sum());
        }
        Distribution distribution = reading.distribution();
        if (distribution != null && reading.layout() == BucketLayout.ofScale(BucketGrid.SCALE)) {
          putBuckets(distribution, point);
        }
        yield metric
            .setExponentialHistogram(
                ExponentialHistogram.newBuilder()
                    .setAggregationTemporality(cumulative)
                    .addDataPoints(point))
            .build();
      }
      case SUMMARY ->
          metric
              .setSummary(
                  Summary.newBuilder()
                      .addDataPoints(
                          SummaryDataPoint.newBuilder()
                              .addAllAttributes(labels)
                              .setStartTimeUnixNano(reading.startUnixNano())
                              .setTimeUnixNano(time)
                              .setCount(reading.count())
                              .setSum(reading.sum())))
              .build();
    };
  }

  private static void putBuckets(
      Distribution distribution, ExponentialHistogramDataPoint.Builder point) {
    point.setScale(BucketGrid.SCALE);
    long[] positive = new long[BucketGrid.MAX + 1];
    long[] negative = new long[BucketGrid.MAX + 1];
    for (int i = 0; i < distribution.size(); i++) {
      int bucket = distribution.bucket(i);
      (bucket < 0 ? negative : positive)[Math.abs(bucket)] = distribution.count(i);
    }
    point.setZeroCount(positive[0]);
    putSide(positive, point.getPositiveBuilder());
    putSide(negative, point.getNegativeBuilder());
  }

  private static void putSide(long[] counts, ExponentialHistogramDataPoint.Buckets.Builder side) {
    int first = 1;
    while (first < counts.length && counts[first] == 0) {
      first++;
    }
    int last = counts.length - 1;
    while (last > first && counts[last] == 0) {
      last--;
    }
    if (first < counts.length) {
      side.setOffset(BucketGrid.indexOf(first));
    }
    for (int bucket = first; bucket <= last; bucket++) {
      side.addBucketCounts(counts[bucket]);
    }
  }

  private static List<KeyValue> attributes(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(
                label ->
                    KeyValue.newBuilder()
                        .setKey(label.getKey())
                        .setValue(AnyValue.newBuilder().setStringValue(label.getValue()))
                        .build())
            .toList();
  }
}
