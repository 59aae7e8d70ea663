package io.tidemark.flink.replay;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one batch as the OTLP request they came with, so that the production decoder reads them.
 * Points of a series keep their order. Labels come back as text, which is what names a series;
 * scopes, descriptions and exemplars are not stored and do not come back.
 */
final class ReconstructedRequest {

  private ReconstructedRequest() {}

  /** Points of one OTLP metric. */
  private record MetricKey(String metric, String unit, String metricType, String temporality) {}

  static ExportMetricsServiceRequest of(List<RawPoint> batch) {
    Map<Map<String, String>, Map<MetricKey, Metric.Builder>> resources = new LinkedHashMap<>();
    for (RawPoint point : batch) {
      MetricKey key =
          new MetricKey(point.metric(), point.unit(), point.metricType(), point.temporality());
      Metric.Builder metric =
          resources
              .computeIfAbsent(point.resource(), ignored -> new LinkedHashMap<>())
              .computeIfAbsent(
                  key, ignored -> Metric.newBuilder().setName(key.metric()).setUnit(key.unit()));
      add(metric, point);
    }
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    resources.forEach(
        (labels, metrics) -> {
          ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
          metrics.values().forEach(scope::addMetrics);
          request.addResourceMetrics(
              ResourceMetrics.newBuilder()
                  .setResource(Resource.newBuilder().addAllAttributes(attributes(labels)))
                  .addScopeMetrics(scope));
        });
    return request.build();
  }

  private static void add(Metric.Builder metric, RawPoint point) {
    AggregationTemporality temporality = temporality(point);
    switch (point.metricType()) {
      case "gauge" -> {
        // The state of a sum that may shrink is a level too.
        if (temporality == AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE) {
          metric
              .getSumBuilder()
              .setAggregationTemporality(temporality)
              .addDataPoints(number(point));
        } else {
          metric.getGaugeBuilder().addDataPoints(number(point));
        }
      }
      case "counter" ->
          metric
              .getSumBuilder()
              .setIsMonotonic(true)
              .setAggregationTemporality(temporality)
              .addDataPoints(number(point));
      case "updown_counter" ->
          metric
              .getSumBuilder()
              .setAggregationTemporality(temporality)
              .addDataPoints(number(point));
      case "histogram" ->
          metric
              .getHistogramBuilder()
              .setAggregationTemporality(temporality)
              .addDataPoints(histogram(point));
      case "exponential_histogram" ->
          metric
              .getExponentialHistogramBuilder()
              .setAggregationTemporality(temporality)
              .addDataPoints(exponential(point));
      case "summary" -> metric.getSummaryBuilder().addDataPoints(summary(point));
      default ->
          throw new IllegalStateException(
              "raw_points holds a point of unknown metric_type '" + point.metricType() + "'");
    }
  }

  private static AggregationTemporality temporality(RawPoint point) {
    return switch (point.temporality()) {
      case "delta" -> AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
      case "cumulative" -> AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;
      case "instant" -> AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED;
      default ->
          throw new IllegalStateException(
              "raw_points holds a point of unknown temporality '" + point.temporality() + "'");
    };
  }

  private static NumberDataPoint.Builder number(RawPoint point) {
    NumberDataPoint.Builder number =
        NumberDataPoint.newBuilder()
            .addAllAttributes(attributes(point.attributes()))
            .setStartTimeUnixNano(point.startUnixNano())
            .setTimeUnixNano(point.timeUnixNano())
            .setFlags(point.flags());
    RawPoint.Numbers numbers = point.numbers();
    if (numbers.whole() != null) {
      return number.setAsInt(numbers.whole());
    }
    double value = orZero(numbers.value());
    return numbers.isInt() ? number.setAsInt((long) value) : number.setAsDouble(value);
  }

  private static HistogramDataPoint.Builder histogram(RawPoint point) {
    RawPoint.Histogram from = point.histogram();
    HistogramDataPoint.Builder to =
        HistogramDataPoint.newBuilder()
            .addAllAttributes(attributes(point.attributes()))
            .setStartTimeUnixNano(point.startUnixNano())
            .setTimeUnixNano(point.timeUnixNano())
            .setFlags(point.flags())
            .setCount(orZero(from.count()))
            .addAllBucketCounts(orEmpty(from.bucketCounts()))
            .addAllExplicitBounds(orEmpty(from.bounds()));
    if (from.sum() != null) {
      to.setSum(from.sum());
    }
    if (from.min() != null) {
      to.setMin(from.min());
    }
    if (from.max() != null) {
      to.setMax(from.max());
    }
    return to;
  }

  private static ExponentialHistogramDataPoint.Builder exponential(RawPoint point) {
    RawPoint.Histogram from = point.histogram();
    ExponentialHistogramDataPoint.Builder to =
        ExponentialHistogramDataPoint.newBuilder()
            .addAllAttributes(attributes(point.attributes()))
            .setStartTimeUnixNano(point.startUnixNano())
            .setTimeUnixNano(point.timeUnixNano())
            .setFlags(point.flags())
            .setCount(orZero(from.count()))
            .setScale(from.scale() == null ? 0 : from.scale())
            .setZeroCount(orZero(from.zeroCount()))
            .setZeroThreshold(orZero(from.zeroThreshold()));
    if (from.positiveCounts() != null) {
      to.getPositiveBuilder()
          .setOffset(from.positiveOffset() == null ? 0 : from.positiveOffset())
          .addAllBucketCounts(from.positiveCounts());
    }
    if (from.negativeCounts() != null) {
      to.getNegativeBuilder()
          .setOffset(from.negativeOffset() == null ? 0 : from.negativeOffset())
          .addAllBucketCounts(from.negativeCounts());
    }
    if (from.sum() != null) {
      to.setSum(from.sum());
    }
    if (from.min() != null) {
      to.setMin(from.min());
    }
    if (from.max() != null) {
      to.setMax(from.max());
    }
    return to;
  }

  private static SummaryDataPoint.Builder summary(RawPoint point) {
    RawPoint.Histogram from = point.histogram();
    SummaryDataPoint.Builder to =
        SummaryDataPoint.newBuilder()
            .addAllAttributes(attributes(point.attributes()))
            .setStartTimeUnixNano(point.startUnixNano())
            .setTimeUnixNano(point.timeUnixNano())
            .setFlags(point.flags())
            .setCount(orZero(from.count()))
            .setSum(orZero(from.sum()));
    List<Double> quantiles = orEmpty(from.quantiles());
    List<Double> values = orEmpty(from.quantileValues());
    for (int i = 0; i < quantiles.size(); i++) {
      to.addQuantileValues(
          SummaryDataPoint.ValueAtQuantile.newBuilder()
              .setQuantile(quantiles.get(i))
              .setValue(values.get(i)));
    }
    return to;
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

  private static double orZero(@Nullable Double number) {
    return number == null ? 0 : number;
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
