package io.tidemark.platform.testing;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** OTLP requests in few words. */
public final class TestingMetrics {

  private TestingMetrics() {}

  /** A request of one resource, the service checkout. */
  public static ExportMetricsServiceRequest request(Metric... metrics) {
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    request
        .addResourceMetricsBuilder()
        .setResource(Resource.newBuilder().addAttributes(label("service.name", "checkout")))
        .addScopeMetricsBuilder()
        .addAllMetrics(Arrays.asList(metrics));
    return request.build();
  }

  /** A delta sum. */
  public static Metric counter(String name, NumberDataPoint... points) {
    return sum(name, AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA, points);
  }

  public static Metric sum(
      String name, AggregationTemporality temporality, NumberDataPoint... points) {
    return Metric.newBuilder()
        .setName(name)
        .setSum(
            Sum.newBuilder()
                .setIsMonotonic(true)
                .setAggregationTemporality(temporality)
                .addAllDataPoints(Arrays.asList(points)))
        .build();
  }

  public static Metric gauge(String name, NumberDataPoint... points) {
    return Metric.newBuilder()
        .setName(name)
        .setGauge(Gauge.newBuilder().addAllDataPoints(Arrays.asList(points)))
        .build();
  }

  /** A delta histogram. */
  public static Metric histogram(String name, HistogramDataPoint... points) {
    return Metric.newBuilder()
        .setName(name)
        .setHistogram(
            Histogram.newBuilder()
                .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                .addAllDataPoints(Arrays.asList(points)))
        .build();
  }

  public static NumberDataPoint point(Instant at, double value) {
    return NumberDataPoint.newBuilder().setTimeUnixNano(nanos(at)).setAsDouble(value).build();
  }

  public static KeyValue label(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  public static long nanos(Instant at) {
    return TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
  }
}
