package io.tidemark.platform.ingest.otlp;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.DataPointFlags;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import java.util.List;
import java.util.Optional;

/**
 * Applies the rules to OTLP points. A point with the flag no-recorded-value, or with the NaN that
 * Prometheus ends a series with as value or sum, only ends its series: the rest is not looked at.
 */
final class OtlpPointCheck {

  private final PointRules rules;

  OtlpPointCheck(PointRules rules) {
    this.rules = rules;
  }

  static Optional<RejectionReason> temporality(AggregationTemporality temporality) {
    return switch (temporality) {
      case AGGREGATION_TEMPORALITY_DELTA, AGGREGATION_TEMPORALITY_CUMULATIVE -> Optional.empty();
      case AGGREGATION_TEMPORALITY_UNSPECIFIED, UNRECOGNIZED ->
          Optional.of(RejectionReason.TEMPORALITY_UNSPECIFIED);
    };
  }

  static Optional<RejectionReason> labels(List<KeyValue> attributes) {
    for (KeyValue attribute : attributes) {
      if (attribute.getKey().isEmpty()) {
        return Optional.of(RejectionReason.LABEL_INVALID);
      }
    }
    return Optional.empty();
  }

  Optional<RejectionReason> number(NumberDataPoint point) {
    Optional<RejectionReason> envelope =
        envelope(point.getTimeUnixNano(), point.getAttributesList());
    if (envelope.isPresent() || hasNoRecordedValue(point.getFlags())) {
      return envelope;
    }
    return switch (point.getValueCase()) {
      case AS_INT -> Optional.empty();
      case AS_DOUBLE ->
          PointRules.isStaleMarker(point.getAsDouble())
              ? Optional.empty()
              : rules.finite(point.getAsDouble());
      case VALUE_NOT_SET -> Optional.of(RejectionReason.VALUE_MISSING);
    };
  }

  /** As above, of a point that is read in place. */
  Optional<RejectionReason> number(FastNumberPoint point) {
    Optional<RejectionReason> time = rules.time(point.time());
    if (time.isPresent()) {
      return time;
    }
    if (point.hasEmptyKey()) {
      return Optional.of(RejectionReason.LABEL_INVALID);
    }
    if (hasNoRecordedValue(point.flags())) {
      return Optional.empty();
    }
    return switch (point.kind()) {
      case INTEGER -> Optional.empty();
      case REAL ->
          PointRules.isStaleMarker(point.real()) ? Optional.empty() : rules.finite(point.real());
      case NONE -> Optional.of(RejectionReason.VALUE_MISSING);
    };
  }

  Optional<RejectionReason> histogram(HistogramDataPoint point) {
    Optional<RejectionReason> envelope =
        envelope(point.getTimeUnixNano(), point.getAttributesList());
    if (envelope.isPresent() || hasNoRecordedValue(point.getFlags(), point.getSum())) {
      return envelope;
    }
    return rules
        .histogram(
            point.getCount(),
            sum(point.getBucketCountsList()),
            point.getBucketCountsCount(),
            point.getExplicitBoundsCount())
        .or(() -> rules.finite(point.getSum()))
        .or(() -> rules.finite(point.getMin()))
        .or(() -> rules.finite(point.getMax()))
        .or(() -> ascending(point.getExplicitBoundsList()));
  }

  Optional<RejectionReason> exponentialHistogram(ExponentialHistogramDataPoint point) {
    Optional<RejectionReason> envelope =
        envelope(point.getTimeUnixNano(), point.getAttributesList());
    if (envelope.isPresent() || hasNoRecordedValue(point.getFlags(), point.getSum())) {
      return envelope;
    }
    long inBuckets =
        point.getZeroCount()
            + sum(point.getPositive().getBucketCountsList())
            + sum(point.getNegative().getBucketCountsList());
    return rules
        .histogram(point.getCount(), inBuckets, 1, 0)
        .or(() -> rules.finite(point.getSum()))
        .or(() -> rules.finite(point.getMin()))
        .or(() -> rules.finite(point.getMax()));
  }

  /** Quantile values may be NaN: some senders say so that a window was empty. */
  Optional<RejectionReason> summary(SummaryDataPoint point) {
    Optional<RejectionReason> envelope =
        envelope(point.getTimeUnixNano(), point.getAttributesList());
    if (envelope.isPresent() || hasNoRecordedValue(point.getFlags(), point.getSum())) {
      return envelope;
    }
    return rules
        .histogram(point.getCount(), point.getCount(), 1, 0)
        .or(() -> rules.finite(point.getSum()));
  }

  private Optional<RejectionReason> envelope(long timeUnixNano, List<KeyValue> attributes) {
    Optional<RejectionReason> time = rules.time(timeUnixNano);
    return time.isPresent() ? time : labels(attributes);
  }

  private static boolean hasNoRecordedValue(int flags, double sum) {
    return hasNoRecordedValue(flags) || PointRules.isStaleMarker(sum);
  }

  private static boolean hasNoRecordedValue(int flags) {
    return (flags & DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE) != 0;
  }

  private static Optional<RejectionReason> ascending(List<Double> bounds) {
    for (int i = 1; i < bounds.size(); i++) {
      // Written so that NaN fails too.
      if (!(bounds.get(i) > bounds.get(i - 1))) {
        return Optional.of(RejectionReason.HISTOGRAM_INVALID);
      }
    }
    return Optional.empty();
  }

  private static long sum(List<Long> counts) {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }
}
