package io.tidemark.platform.ingest.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
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
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.ingest.domain.Rejections;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks an encoded request, counts what must be refused, and gives the request without it. One
 * point at a time is an object; what is kept is copied as bytes, and only when something is left
 * out.
 */
final class OtlpRequestFilter {

  private static final int RESOURCE_METRICS =
      ExportMetricsServiceRequest.RESOURCE_METRICS_FIELD_NUMBER;
  private static final int SCOPE_METRICS = ResourceMetrics.SCOPE_METRICS_FIELD_NUMBER;
  private static final int METRICS = ScopeMetrics.METRICS_FIELD_NUMBER;
  private static final int[] DATA = {
    Metric.GAUGE_FIELD_NUMBER,
    Metric.SUM_FIELD_NUMBER,
    Metric.HISTOGRAM_FIELD_NUMBER,
    Metric.EXPONENTIAL_HISTOGRAM_FIELD_NUMBER,
    Metric.SUMMARY_FIELD_NUMBER
  };

  private static final int LONGEST_DESCRIPTION = 4_096;

  /** The same number in all five kinds of data. */
  private static final int POINTS = Gauge.DATA_POINTS_FIELD_NUMBER;

  private final OtlpPointCheck check;
  private final FastNumberPoint plain = new FastNumberPoint();
  private final Rejections rejections = new Rejections();
  private Map<String, String> descriptions = Map.of();
  private long accepted;

  OtlpRequestFilter(PointRules rules) {
    this.check = new OtlpPointCheck(rules);
  }

  Rejections rejections() {
    return rejections;
  }

  /** Of metrics in what {@link #of} returned, by name; cut where they are longer than is kept. */
  Map<String, String> descriptions() {
    return descriptions;
  }

  /** Number of points in what {@link #of} returned. */
  long accepted() {
    return accepted;
  }

  /**
   * The accepted part; the same array when nothing was refused.
   *
   * @throws IOException when the body is not an encoded request
   */
  byte[] of(byte[] body) throws IOException {
    MessageSlice request = MessageSlice.of(body);
    request.without(RESOURCE_METRICS).parse(ExportMetricsServiceRequest.parser());
    MessageSlice kept = request.filter(RESOURCE_METRICS, this::resource);
    return kept == null ? new byte[0] : kept.bytes();
  }

  private @Nullable MessageSlice resource(MessageSlice resource) throws IOException {
    ResourceMetrics head = resource.without(SCOPE_METRICS).parse(ResourceMetrics.parser());
    Optional<RejectionReason> ofResource =
        OtlpPointCheck.labels(head.getResource().getAttributesList());
    return resource.filter(SCOPE_METRICS, scope -> scope(scope, ofResource));
  }

  private @Nullable MessageSlice scope(MessageSlice scope, Optional<RejectionReason> ofResource)
      throws IOException {
    scope.without(METRICS).parse(ScopeMetrics.parser());
    return scope.filter(METRICS, metric -> metric(metric, ofResource));
  }

  private @Nullable MessageSlice metric(MessageSlice metric, Optional<RejectionReason> ofResource)
      throws IOException {
    Metric head = metric.without(DATA).parse(Metric.parser());
    String name = head.getName();
    Optional<RejectionReason> ofMetric =
        ofResource.or(
            () ->
                name.isEmpty()
                    ? Optional.of(RejectionReason.METRIC_NAME_MISSING)
                    : Optional.empty());
    int kind = metric.firstOf(DATA);
    if (kind == 0) {
      rejections.add(ofMetric.orElse(RejectionReason.METRIC_TYPE_UNSUPPORTED), 0, name);
      return null;
    }
    if (metric.count(DATA) > 1) {
      throw new InvalidProtocolBufferException("a metric has its data more than once");
    }
    MessageSlice kept = metric.filter(kind, data -> data(data, kind, name, ofMetric));
    if (kept != null) {
      describe(name, head.getDescription());
    }
    return kept;
  }

  private void describe(String name, String description) {
    if (description.isEmpty()) {
      return;
    }
    if (descriptions.isEmpty()) {
      descriptions = new HashMap<>();
    }
    descriptions.put(name, cut(description));
  }

  private static String cut(String description) {
    if (description.length() <= LONGEST_DESCRIPTION) {
      return description;
    }
    boolean isWithinLetter = Character.isHighSurrogate(description.charAt(LONGEST_DESCRIPTION - 1));
    return description.substring(0, LONGEST_DESCRIPTION - (isWithinLetter ? 1 : 0));
  }

  private @Nullable MessageSlice data(
      MessageSlice data, int kind, String name, Optional<RejectionReason> ofMetric)
      throws IOException {
    Optional<RejectionReason> ofData = ofKind(data.without(POINTS), kind);
    Optional<RejectionReason> whole = ofMetric.isPresent() ? ofMetric : ofData;
    if (whole.isPresent()) {
      rejections.add(whole.get(), data.count(POINTS), name);
      return null;
    }
    return data.filter(
        POINTS,
        point -> {
          Optional<RejectionReason> reason = ofPoint(point, kind);
          if (reason.isPresent()) {
            rejections.add(reason.get(), 1, name);
            return null;
          }
          accepted++;
          return point;
        });
  }

  /** Why all points of the data must be refused. */
  private static Optional<RejectionReason> ofKind(MessageSlice head, int kind) throws IOException {
    return switch (kind) {
      case Metric.SUM_FIELD_NUMBER ->
          OtlpPointCheck.temporality(head.parse(Sum.parser()).getAggregationTemporality());
      case Metric.HISTOGRAM_FIELD_NUMBER ->
          OtlpPointCheck.temporality(head.parse(Histogram.parser()).getAggregationTemporality());
      case Metric.EXPONENTIAL_HISTOGRAM_FIELD_NUMBER ->
          OtlpPointCheck.temporality(
              head.parse(ExponentialHistogram.parser()).getAggregationTemporality());
      case Metric.GAUGE_FIELD_NUMBER -> {
        head.parse(Gauge.parser());
        yield Optional.empty();
      }
      case Metric.SUMMARY_FIELD_NUMBER -> {
        head.parse(Summary.parser());
        yield Optional.empty();
      }
      default -> throw new IllegalStateException("Unknown kind of data " + kind);
    };
  }

  private Optional<RejectionReason> ofPoint(MessageSlice point, int kind) throws IOException {
    return switch (kind) {
      case Metric.GAUGE_FIELD_NUMBER, Metric.SUM_FIELD_NUMBER ->
          plain.read(point)
              ? check.number(plain)
              : check.number(point.parse(NumberDataPoint.parser()));
      case Metric.HISTOGRAM_FIELD_NUMBER ->
          check.histogram(point.parse(HistogramDataPoint.parser()));
      case Metric.EXPONENTIAL_HISTOGRAM_FIELD_NUMBER ->
          check.exponentialHistogram(point.parse(ExponentialHistogramDataPoint.parser()));
      case Metric.SUMMARY_FIELD_NUMBER -> check.summary(point.parse(SummaryDataPoint.parser()));
      default -> throw new IllegalStateException("Unknown kind of data " + kind);
    };
  }
}
