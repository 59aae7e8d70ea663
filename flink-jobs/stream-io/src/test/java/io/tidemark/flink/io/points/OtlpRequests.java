package io.tidemark.flink.io.points;

import static io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer.NOW_NANOS;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
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
import io.opentelemetry.proto.resource.v1.Resource;

/** Export requests of one service, made of metrics with a point each. */
public final class OtlpRequests {

  public static final AggregationTemporality DELTA =
      AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;

  public static final AggregationTemporality CUMULATIVE =
      AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;

  private OtlpRequests() {}

  public static byte[] request(Metric.Builder... metrics) {
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

  public static Metric.Builder gauge(String name, NumberDataPoint.Builder point) {
    return Metric.newBuilder().setName(name).setGauge(Gauge.newBuilder().addDataPoints(point));
  }

  public static Metric.Builder sum(
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

  public static Metric.Builder histogram(
      AggregationTemporality temporality, HistogramDataPoint.Builder point) {
    return Metric.newBuilder()
        .setName("h")
        .setHistogram(
            Histogram.newBuilder().setAggregationTemporality(temporality).addDataPoints(point));
  }

  public static Metric.Builder exponential(
      AggregationTemporality temporality, ExponentialHistogramDataPoint.Builder point) {
    return Metric.newBuilder()
        .setName("e")
        .setExponentialHistogram(
            ExponentialHistogram.newBuilder()
                .setAggregationTemporality(temporality)
                .addDataPoints(point));
  }

  public static ExponentialHistogramDataPoint.Builder exponentialPoint() {
    return ExponentialHistogramDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS);
  }

  public static HistogramDataPoint.Builder observations(long count) {
    return HistogramDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS).setCount(count);
  }

  public static NumberDataPoint.Builder number(double value) {
    return NumberDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS).setAsDouble(value);
  }

  public static KeyValue.Builder text(String key, String value) {
    return any(key, AnyValue.newBuilder().setStringValue(value).build());
  }

  public static KeyValue.Builder any(String key, AnyValue value) {
    return KeyValue.newBuilder().setKey(key).setValue(value);
  }
}
