package io.tidemark.flink.io.points.decode;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;

/** How many points a batch has that is not taken apart. */
public final class PointCount {

  private PointCount() {}

  /**
   * @param batch an OTLP ExportMetricsServiceRequest
   * @return 0 when it cannot be read
   */
  public static long of(byte[] batch) {
    ExportMetricsServiceRequest request;
    try {
      request = ExportMetricsServiceRequest.parseFrom(batch);
    } catch (InvalidProtocolBufferException | RuntimeException e) {
      return 0;
    }
    long points = 0;
    for (ResourceMetrics resource : request.getResourceMetricsList()) {
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        for (Metric metric : scope.getMetricsList()) {
          points += of(metric);
        }
      }
    }
    return points;
  }

  private static int of(Metric metric) {
    return switch (metric.getDataCase()) {
      case GAUGE -> metric.getGauge().getDataPointsCount();
      case SUM -> metric.getSum().getDataPointsCount();
      case HISTOGRAM -> metric.getHistogram().getDataPointsCount();
      case EXPONENTIAL_HISTOGRAM -> metric.getExponentialHistogram().getDataPointsCount();
      case SUMMARY -> metric.getSummary().getDataPointsCount();
      case DATA_NOT_SET -> 0;
    };
  }
}
