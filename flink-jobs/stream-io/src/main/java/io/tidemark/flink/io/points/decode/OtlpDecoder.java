package io.tidemark.flink.io.points.decode;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.tidemark.flink.io.points.BatchHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.decode.PointValues.DecodedValue;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.point.SourcePosition;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One accepted batch to points. Total: whatever the bytes are, every point is reported as a point,
 * as part of a dead letter, or as "no recorded value", and nothing is thrown.
 *
 * <p>Scope name and version do not name a series. Exemplars are not read.
 */
public final class OtlpDecoder {

  private final PointTimeLimits timeLimits;

  public OtlpDecoder(PointTimeLimits timeLimits) {
    this.timeLimits = timeLimits;
  }

  /** The record's envelope may be incomplete: then the whole record becomes one dead letter. */
  public void decode(PointsRecord record, DecodedPointConsumer decoded) {
    BatchHeaders envelope = BatchHeaders.of(record);
    if (!envelope.isComplete()) {
      decoded.deadLetter(
          whole(
              record,
              envelope,
              RejectionReason.MISSING_ENVELOPE,
              String.join("; ", envelope.faults())
                  + ". Only the gateway may write to the points topic: find the producer."));
      return;
    }
    ExportMetricsServiceRequest request;
    try {
      request = ExportMetricsServiceRequest.parseFrom(record.value());
    } catch (InvalidProtocolBufferException | RuntimeException e) {
      decoded.deadLetter(
          whole(
              record,
              envelope,
              RejectionReason.UNDECODABLE,
              "Not an OTLP ExportMetricsServiceRequest: " + e.getMessage()));
      return;
    }
    Batch batch = new Batch(record, envelope.receivedAtUnixMs(), timeLimits, decoded);
    for (ResourceMetrics resource : request.getResourceMetricsList()) {
      batch.resource(resource);
    }
    batch.rejections.report(record, envelope.receivedAtUnixMs(), decoded);
  }

  /**
   * The points of one metric of a record whose envelope is complete.
   *
   * @param firstIndex place of its first point in the batch
   * @return the place after its last point
   */
  public static int metric(
      PointsRecord record,
      long receivedAtUnixMs,
      PointTimeLimits timeLimits,
      Map<String, String> resource,
      Metric metric,
      int firstIndex,
      DecodedPointConsumer decoded) {
    Batch batch = new Batch(record, receivedAtUnixMs, timeLimits, decoded);
    batch.index = firstIndex;
    batch.metric(resource, metric);
    batch.rejections.report(record, receivedAtUnixMs, decoded);
    return batch.index;
  }

  private static DeadLetter whole(
      PointsRecord record, BatchHeaders envelope, RejectionReason reason, String detail) {
    return Rejections.deadLetter(record, envelope.receivedAtUnixMs(), reason, detail, 0);
  }

  /** The walk through one request. */
  private static final class Batch {
    private final PointsRecord record;
    private final long receivedAt;
    private final PointTimeLimits timeLimits;
    private final DecodedPointConsumer decoded;
    private final Rejections rejections = new Rejections();
    private int index;

    Batch(
        PointsRecord record,
        long receivedAt,
        PointTimeLimits timeLimits,
        DecodedPointConsumer decoded) {
      this.record = record;
      this.receivedAt = receivedAt;
      this.timeLimits = timeLimits;
      this.decoded = decoded;
    }

    void resource(ResourceMetrics resource) {
      Map<String, String> labels = AttributeText.of(resource.getResource().getAttributesList());
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        for (Metric metric : scope.getMetricsList()) {
          metric(labels, metric);
        }
      }
    }

    private void metric(Map<String, String> resource, Metric metric) {
      switch (metric.getDataCase()) {
        case GAUGE -> {
          for (NumberDataPoint point : metric.getGauge().getDataPointsList()) {
            number(resource, metric, MetricKind.GAUGE, false, null, point);
          }
        }
        case SUM -> sum(resource, metric, metric.getSum());
        case HISTOGRAM -> {
          @Nullable Boolean cumulative =
              isCumulative(metric.getHistogram().getAggregationTemporality());
          for (HistogramDataPoint point : metric.getHistogram().getDataPointsList()) {
            histogram(resource, metric, cumulative, point);
          }
        }
        case EXPONENTIAL_HISTOGRAM -> {
          @Nullable Boolean cumulative =
              isCumulative(metric.getExponentialHistogram().getAggregationTemporality());
          for (ExponentialHistogramDataPoint point :
              metric.getExponentialHistogram().getDataPointsList()) {
            exponential(resource, metric, cumulative, point);
          }
        }
        case SUMMARY -> {
          for (SummaryDataPoint point : metric.getSummary().getDataPointsList()) {
            summary(resource, metric, point);
          }
        }
        case DATA_NOT_SET ->
            rejections.addMetric(
                RejectionReason.METRIC_TYPE_UNSUPPORTED,
                "Metric '" + metric.getName() + "' has no data of a known kind.");
      }
    }

    private void sum(Map<String, String> resource, Metric metric, Sum sum) {
      @Nullable Boolean cumulative = isCumulative(sum.getAggregationTemporality());
      MetricKind kind = MetricKind.ofSum(sum.getIsMonotonic(), Boolean.TRUE.equals(cumulative));
      for (NumberDataPoint point : sum.getDataPointsList()) {
        // A cumulative sum that may shrink is no running total.
        number(
            resource,
            metric,
            kind,
            sum.getIsMonotonic() ? cumulative : level(cumulative),
            sum.getAggregationTemporality(),
            point);
      }
    }

    private void number(
        Map<String, String> resource,
        Metric metric,
        MetricKind kind,
        @Nullable Boolean cumulative,
        @Nullable AggregationTemporality temporality,
        NumberDataPoint point) {
      if (isRecorded(point.getFlags(), point.getAsDouble())) {
        emit(
            resource,
            metric,
            kind,
            cumulative,
            point.getAttributesList(),
            point.getStartTimeUnixNano(),
            point.getTimeUnixNano(),
            PointValues.of(point),
            () -> OriginalPoint.of(point, temporality));
      }
    }

    private void histogram(
        Map<String, String> resource,
        Metric metric,
        @Nullable Boolean cumulative,
        HistogramDataPoint point) {
      if (isRecorded(point.getFlags(), point.getSum())) {
        emit(
            resource,
            metric,
            MetricKind.HISTOGRAM,
            cumulative,
            point.getAttributesList(),
            point.getStartTimeUnixNano(),
            point.getTimeUnixNano(),
            PointValues.of(point),
            () -> OriginalPoint.of(point, metric.getHistogram().getAggregationTemporality()));
      }
    }

    private void exponential(
        Map<String, String> resource,
        Metric metric,
        @Nullable Boolean cumulative,
        ExponentialHistogramDataPoint point) {
      if (isRecorded(point.getFlags(), point.getSum())) {
        emit(
            resource,
            metric,
            MetricKind.EXPONENTIAL_HISTOGRAM,
            cumulative,
            point.getAttributesList(),
            point.getStartTimeUnixNano(),
            point.getTimeUnixNano(),
            PointValues.of(point),
            () ->
                OriginalPoint.of(
                    point, metric.getExponentialHistogram().getAggregationTemporality()));
      }
    }

    /** OTLP defines count and sum of a summary as running totals. */
    private void summary(Map<String, String> resource, Metric metric, SummaryDataPoint point) {
      if (isRecorded(point.getFlags(), point.getSum())) {
        emit(
            resource,
            metric,
            MetricKind.SUMMARY,
            true,
            point.getAttributesList(),
            point.getStartTimeUnixNano(),
            point.getTimeUnixNano(),
            PointValues.of(point),
            () -> OriginalPoint.of(point));
      }
    }

    private void emit(
        Map<String, String> resource,
        Metric metric,
        MetricKind kind,
        @Nullable Boolean cumulative,
        List<KeyValue> attributes,
        long startUnixNano,
        long timeUnixNano,
        DecodedValue figures,
        Supplier<SentPoint> sent) {
      int position = index++;
      Map<String, String> labels = AttributeText.of(attributes);
      RejectionReason rejection =
          rejection(resource, metric, cumulative, labels, timeUnixNano, figures);
      if (rejection != null) {
        rejections.addPoint(
            rejection,
            position,
            () ->
                "First such point: number "
                    + position
                    + " of the batch, metric '"
                    + metric.getName()
                    + "', time_unix_nano "
                    + Long.toUnsignedString(timeUnixNano)
                    + ".");
        return;
      }
      SeriesDescriptor series =
          new SeriesDescriptor(
              record.organizationId(),
              record.environmentId(),
              metric.getName(),
              kind,
              metric.getUnit(),
              resource,
              labels);
      boolean isReading = Boolean.TRUE.equals(cumulative);
      decoded.point(
          new MetricPoint(
              SeriesKey.of(series),
              series,
              timeUnixNano,
              new SourcePosition(record.partition(), record.offset(), position),
              isReading ? null : contribution(kind, figures),
              isReading ? reading(kind, startUnixNano, figures) : null));
      decoded.sent(sent);
    }

    private @Nullable RejectionReason rejection(
        Map<String, String> resource,
        Metric metric,
        @Nullable Boolean cumulative,
        Map<String, String> labels,
        long timeUnixNano,
        DecodedValue figures) {
      if (metric.getName().isEmpty()) {
        return RejectionReason.METRIC_NAME_MISSING;
      }
      if (cumulative == null) {
        return RejectionReason.TEMPORALITY_UNSPECIFIED;
      }
      if (resource.containsKey("") || labels.containsKey("")) {
        return RejectionReason.LABEL_INVALID;
      }
      RejectionReason time = timeLimits.rejection(timeUnixNano, receivedAt);
      return time == null ? figures.rejection() : time;
    }

    /**
     * @param value of a number, or sum of observations
     */
    private boolean isRecorded(int flags, double value) {
      if (!PointValues.isWithoutValue(flags, Double.doubleToRawLongBits(value))) {
        return true;
      }
      index++;
      decoded.noRecordedValue();
      return false;
    }

    private CumulativeReading reading(MetricKind kind, long startUnixNano, DecodedValue figures) {
      // The single count of a number point is no running total.
      long count = kind == MetricKind.COUNTER ? 0 : figures.count();
      return new CumulativeReading(
          startUnixNano,
          figures.sum() + 0.0,
          count,
          figures.distribution(),
          figures.layout(),
          record.batchId(),
          receivedAt);
    }

    private static Contribution contribution(MetricKind kind, DecodedValue figures) {
      return switch (kind) {
        case GAUGE, COUNTER, UPDOWN_COUNTER -> Contribution.ofValue(figures.sum());
        case HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY ->
            Contribution.ofObservations(
                    figures.count(), figures.sum(), figures.min(), figures.max())
                .with(figures.distribution());
      };
    }

    private static @Nullable Boolean level(@Nullable Boolean cumulative) {
      return cumulative == null ? null : Boolean.FALSE;
    }

    /** Null when the sender does not say. */
    private static @Nullable Boolean isCumulative(AggregationTemporality temporality) {
      return switch (temporality) {
        case AGGREGATION_TEMPORALITY_CUMULATIVE -> Boolean.TRUE;
        case AGGREGATION_TEMPORALITY_DELTA -> Boolean.FALSE;
        case AGGREGATION_TEMPORALITY_UNSPECIFIED, UNRECOGNIZED -> null;
      };
    }
  }
}
