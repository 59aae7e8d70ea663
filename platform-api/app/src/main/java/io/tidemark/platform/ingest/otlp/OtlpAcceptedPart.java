package io.tidemark.platform.ingest.otlp;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.ingest.domain.Rejections;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Walks a request, counts what must be refused, and builds the request without it. */
final class OtlpAcceptedPart {

  private final OtlpPointCheck check;
  private final Rejections rejections = new Rejections();
  private long accepted;

  OtlpAcceptedPart(PointRules rules) {
    this.check = new OtlpPointCheck(rules);
  }

  Rejections rejections() {
    return rejections;
  }

  /** Number of points in what {@link #of} returned. */
  long accepted() {
    return accepted;
  }

  /** The accepted part; the same instance when nothing was refused. */
  ExportMetricsServiceRequest of(ExportMetricsServiceRequest request) {
    List<ResourceMetrics> kept = new ArrayList<>(request.getResourceMetricsCount());
    for (ResourceMetrics resource : request.getResourceMetricsList()) {
      Optional<RejectionReason> ofResource =
          OtlpPointCheck.labels(resource.getResource().getAttributesList());
      List<ScopeMetrics> keptScopes = new ArrayList<>(resource.getScopeMetricsCount());
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        List<Metric> keptMetrics = new ArrayList<>(scope.getMetricsCount());
        for (Metric metric : scope.getMetricsList()) {
          metric(metric, ofResource).ifPresent(keptMetrics::add);
        }
        if (!keptMetrics.isEmpty()) {
          keptScopes.add(scope.toBuilder().clearMetrics().addAllMetrics(keptMetrics).build());
        }
      }
      if (!keptScopes.isEmpty()) {
        kept.add(resource.toBuilder().clearScopeMetrics().addAllScopeMetrics(keptScopes).build());
      }
    }
    return rejections.isEmpty()
        ? request
        : request.toBuilder().clearResourceMetrics().addAllResourceMetrics(kept).build();
  }

  private Optional<Metric> metric(Metric metric, Optional<RejectionReason> ofResource) {
    Optional<RejectionReason> ofName =
        metric.getName().isEmpty()
            ? Optional.of(RejectionReason.METRIC_NAME_MISSING)
            : Optional.empty();
    Optional<RejectionReason> whole = ofResource.or(() -> ofName);
    return switch (metric.getDataCase()) {
      case GAUGE -> {
        Gauge gauge = metric.getGauge();
        yield part(metric, gauge.getDataPointsList(), whole, check::number)
            .map(
                points ->
                    metric.toBuilder()
                        .setGauge(gauge.toBuilder().clearDataPoints().addAllDataPoints(points))
                        .build());
      }
      case SUM -> {
        Sum sum = metric.getSum();
        yield part(
                metric,
                sum.getDataPointsList(),
                whole.or(() -> OtlpPointCheck.temporality(sum.getAggregationTemporality())),
                check::number)
            .map(
                points ->
                    metric.toBuilder()
                        .setSum(sum.toBuilder().clearDataPoints().addAllDataPoints(points))
                        .build());
      }
      case HISTOGRAM -> {
        Histogram histogram = metric.getHistogram();
        yield part(
                metric,
                histogram.getDataPointsList(),
                whole.or(() -> OtlpPointCheck.temporality(histogram.getAggregationTemporality())),
                check::histogram)
            .map(
                points ->
                    metric.toBuilder()
                        .setHistogram(
                            histogram.toBuilder().clearDataPoints().addAllDataPoints(points))
                        .build());
      }
      case EXPONENTIAL_HISTOGRAM -> {
        ExponentialHistogram histogram = metric.getExponentialHistogram();
        yield part(
                metric,
                histogram.getDataPointsList(),
                whole.or(() -> OtlpPointCheck.temporality(histogram.getAggregationTemporality())),
                check::exponentialHistogram)
            .map(
                points ->
                    metric.toBuilder()
                        .setExponentialHistogram(
                            histogram.toBuilder().clearDataPoints().addAllDataPoints(points))
                        .build());
      }
      case SUMMARY -> {
        Summary summary = metric.getSummary();
        yield part(metric, summary.getDataPointsList(), whole, check::summary)
            .map(
                points ->
                    metric.toBuilder()
                        .setSummary(summary.toBuilder().clearDataPoints().addAllDataPoints(points))
                        .build());
      }
      case DATA_NOT_SET -> {
        rejections.add(whole.orElse(RejectionReason.METRIC_TYPE_UNSUPPORTED), 0, metric.getName());
        yield Optional.empty();
      }
    };
  }

  /** The points kept; empty when none is, so that the metric is left out. */
  private <P> Optional<List<P>> part(
      Metric metric,
      List<P> points,
      Optional<RejectionReason> whole,
      Function<P, Optional<RejectionReason>> check) {
    if (whole.isPresent()) {
      rejections.add(whole.get(), points.size(), metric.getName());
      return Optional.empty();
    }
    List<P> kept = new ArrayList<>(points.size());
    for (P point : points) {
      Optional<RejectionReason> reason = check.apply(point);
      if (reason.isPresent()) {
        rejections.add(reason.get(), 1, metric.getName());
      } else {
        kept.add(point);
      }
    }
    accepted += kept.size();
    return kept.isEmpty() ? Optional.empty() : Optional.of(kept);
  }
}
