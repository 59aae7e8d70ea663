package io.tidemark.contracts.deadletter.replay;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Points of an OTLP request by their place: in the order of the message, from 0. */
final class PointsOfRequest {

  private final BitSet places;
  private int next;

  private PointsOfRequest(BitSet places) {
    this.places = places;
  }

  static int count(ExportMetricsServiceRequest request) {
    int count = 0;
    for (ResourceMetrics resource : request.getResourceMetricsList()) {
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        for (Metric metric : scope.getMetricsList()) {
          count += points(metric).size();
        }
      }
    }
    return count;
  }

  /**
   * The request with these points alone; resources, scopes and metrics without points are left out.
   */
  static ExportMetricsServiceRequest keep(ExportMetricsServiceRequest request, BitSet places) {
    PointsOfRequest walk = new PointsOfRequest(places);
    ExportMetricsServiceRequest.Builder kept = ExportMetricsServiceRequest.newBuilder();
    for (ResourceMetrics resource : request.getResourceMetricsList()) {
      ResourceMetrics.Builder keptResource = resource.toBuilder().clearScopeMetrics();
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        ScopeMetrics.Builder keptScope = scope.toBuilder().clearMetrics();
        for (Metric metric : scope.getMetricsList()) {
          Metric keptMetric = walk.kept(metric);
          if (!points(keptMetric).isEmpty()) {
            keptScope.addMetrics(keptMetric);
          }
        }
        if (keptScope.getMetricsCount() > 0) {
          keptResource.addScopeMetrics(keptScope);
        }
      }
      if (keptResource.getScopeMetricsCount() > 0) {
        kept.addResourceMetrics(keptResource);
      }
    }
    return kept.build();
  }

  private Metric kept(Metric metric) {
    Metric.Builder kept = metric.toBuilder();
    switch (metric.getDataCase()) {
      case GAUGE -> {
        var points = chosen(metric.getGauge().getDataPointsList());
        kept.getGaugeBuilder().clearDataPoints().addAllDataPoints(points);
      }
      case SUM -> {
        var points = chosen(metric.getSum().getDataPointsList());
        kept.getSumBuilder().clearDataPoints().addAllDataPoints(points);
      }
      case HISTOGRAM -> {
        var points = chosen(metric.getHistogram().getDataPointsList());
        kept.getHistogramBuilder().clearDataPoints().addAllDataPoints(points);
      }
      case EXPONENTIAL_HISTOGRAM -> {
        var points = chosen(metric.getExponentialHistogram().getDataPointsList());
        kept.getExponentialHistogramBuilder().clearDataPoints().addAllDataPoints(points);
      }
      case SUMMARY -> {
        var points = chosen(metric.getSummary().getDataPointsList());
        kept.getSummaryBuilder().clearDataPoints().addAllDataPoints(points);
      }
      case DATA_NOT_SET -> {
        // No points, no places.
      }
    }
    return kept.build();
  }

  private <T> List<T> chosen(List<T> points) {
    List<T> chosen = new ArrayList<>();
    for (T point : points) {
      if (places.get(next++)) {
        chosen.add(point);
      }
    }
    return chosen;
  }

  private static List<?> points(Metric metric) {
    return switch (metric.getDataCase()) {
      case GAUGE -> metric.getGauge().getDataPointsList();
      case SUM -> metric.getSum().getDataPointsList();
      case HISTOGRAM -> metric.getHistogram().getDataPointsList();
      case EXPONENTIAL_HISTOGRAM -> metric.getExponentialHistogram().getDataPointsList();
      case SUMMARY -> metric.getSummary().getDataPointsList();
      case DATA_NOT_SET -> List.of();
    };
  }
}
