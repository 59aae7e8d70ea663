package io.tidemark.pipeline.support;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One request as a Collector sends it: resources, their metrics, the points of each. */
public final class OtlpBody {
  private final ExportMetricsServiceRequest.Builder request =
      ExportMetricsServiceRequest.newBuilder();
  private int points;

  public int points() {
    return points;
  }

  /** Adds what one resource sent. */
  public void add(Resource resource, List<Metric> metrics) {
    request.addResourceMetrics(
        ResourceMetrics.newBuilder()
            .setResource(resource)
            .addScopeMetrics(ScopeMetrics.newBuilder().addAllMetrics(metrics)));
    for (Metric metric : metrics) {
      points += metric.getGauge().getDataPointsCount() + metric.getSum().getDataPointsCount();
    }
  }

  public byte[] take() {
    byte[] body = request.build().toByteArray();
    request.clear();
    points = 0;
    return body;
  }

  public static Resource resource(String... attributes) {
    return Resource.newBuilder().addAllAttributes(attributes(attributes)).build();
  }

  /** Names and values in turns. */
  public static List<KeyValue> attributes(String... namesAndValues) {
    List<KeyValue> attributes = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      attributes.add(
          KeyValue.newBuilder()
              .setKey(namesAndValues[i])
              .setValue(AnyValue.newBuilder().setStringValue(namesAndValues[i + 1]))
              .build());
    }
    return attributes;
  }

  public static NumberDataPoint point(List<KeyValue> attributes, Instant time, double value) {
    return NumberDataPoint.newBuilder()
        .addAllAttributes(attributes)
        .setStartTimeUnixNano(nanos(time.minusSeconds(PointFleet.STEP_SECONDS)))
        .setTimeUnixNano(nanos(time))
        .setAsDouble(value)
        .build();
  }

  public static Metric gauge(String name, String unit, List<NumberDataPoint> points) {
    return Metric.newBuilder()
        .setName(name)
        .setUnit(unit)
        .setGauge(Gauge.newBuilder().addAllDataPoints(points))
        .build();
  }

  public static Metric delta(String name, String unit, List<NumberDataPoint> points) {
    return Metric.newBuilder()
        .setName(name)
        .setUnit(unit)
        .setSum(
            Sum.newBuilder()
                .setIsMonotonic(true)
                .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                .addAllDataPoints(points))
        .build();
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }
}
