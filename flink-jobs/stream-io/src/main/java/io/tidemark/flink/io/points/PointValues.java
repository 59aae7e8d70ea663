package io.tidemark.flink.io.points;

import io.opentelemetry.proto.metrics.v1.DataPointFlags;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.tidemark.flink.model.distribution.BucketGrid;
import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.distribution.ExplicitBounds;
import io.tidemark.flink.model.distribution.SentBuckets;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.Contribution;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The figures of each kind of OTLP point, and what is wrong with them. */
final class PointValues {

  private static final double ABSENT = Contribution.ABSENT;

  /**
   * Figures, or a reason why there are none.
   *
   * @param rejection null when the figures may be used
   * @param distribution the observations by bucket; null without buckets
   * @param layout of the buckets
   */
  record DecodedValue(
      @Nullable RejectionReason rejection,
      double sum,
      long count,
      double min,
      double max,
      @Nullable Distribution distribution,
      long layout) {

    static DecodedValue rejected(RejectionReason reason) {
      return new DecodedValue(reason, ABSENT, 0, ABSENT, ABSENT, null, BucketLayout.NONE);
    }

    static DecodedValue of(double sum, long count, double min, double max) {
      return new DecodedValue(null, sum, count, min, max, null, BucketLayout.NONE);
    }

    DecodedValue with(@Nullable Distribution observations, long bucketLayout) {
      return new DecodedValue(rejection, sum, count, min, max, observations, bucketLayout);
    }
  }

  /** The NaN by which Prometheus says that a series has ended. */
  private static final long STALE = 0x7ff0_0000_0000_0002L;

  private PointValues() {}

  /** Whether a point says that it has no value: by its flags, or by a stale marker as its value. */
  static boolean isWithoutValue(int flags, long valueBits) {
    return (flags & DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE) != 0
        || valueBits == STALE;
  }

  static DecodedValue of(NumberDataPoint point) {
    return switch (point.getValueCase()) {
      case AS_INT -> single((double) point.getAsInt());
      case AS_DOUBLE -> single(point.getAsDouble());
      case VALUE_NOT_SET -> DecodedValue.rejected(RejectionReason.VALUE_MISSING);
    };
  }

  static DecodedValue of(HistogramDataPoint point) {
    DecodedValue figures =
        observations(
            point.getCount(),
            point.hasSum() ? point.getSum() : ABSENT,
            point.hasSum(),
            point.hasMin() ? point.getMin() : ABSENT,
            point.hasMin(),
            point.hasMax() ? point.getMax() : ABSENT,
            point.hasMax());
    if (point.getBucketCountsCount() == 0 && point.getExplicitBoundsCount() == 0) {
      return figures;
    }
    ExplicitBounds bounds =
        Math.max(point.getExplicitBoundsCount(), point.getBucketCountsCount()) > SentBuckets.MAX
            ? null
            : ExplicitBounds.of(
                point.getExplicitBoundsList().stream().mapToDouble(bound -> bound).toArray());
    Distribution distribution = new Distribution();
    boolean fits =
        bounds != null
            && SentBuckets.explicit(
                bounds,
                point.getCount(),
                longs(point.getBucketCountsList()),
                point.getBucketCountsCount(),
                distribution);
    if (!fits) {
      return DecodedValue.rejected(RejectionReason.HISTOGRAM_INVALID);
    }
    // One bucket for everything says nothing.
    return bounds == null || bounds.size() == 1
        ? figures
        : figures.with(distribution, bounds.layout());
  }

  static DecodedValue of(ExponentialHistogramDataPoint point) {
    DecodedValue figures =
        observations(
            point.getCount(),
            point.hasSum() ? point.getSum() : ABSENT,
            point.hasSum(),
            point.hasMin() ? point.getMin() : ABSENT,
            point.hasMin(),
            point.hasMax() ? point.getMax() : ABSENT,
            point.hasMax());
    ExponentialHistogramDataPoint.Buckets negative = point.getNegative();
    ExponentialHistogramDataPoint.Buckets positive = point.getPositive();
    if (isWithoutBuckets(
        point.getCount(),
        point.getZeroCount(),
        negative.getBucketCountsCount(),
        positive.getBucketCountsCount())) {
      return figures;
    }
    Distribution distribution = new Distribution();
    boolean fits =
        Math.max(negative.getBucketCountsCount(), positive.getBucketCountsCount())
                <= SentBuckets.MAX
            && SentBuckets.exponential(
                point.getScale(),
                point.getCount(),
                point.getZeroCount(),
                side(negative),
                side(positive),
                distribution);
    return fits
        ? figures.with(distribution, layout(point.getScale()))
        : DecodedValue.rejected(RejectionReason.HISTOGRAM_INVALID);
  }

  private static SentBuckets.Side side(ExponentialHistogramDataPoint.Buckets buckets) {
    return new SentBuckets.Side(
        buckets.getOffset(), longs(buckets.getBucketCountsList()), buckets.getBucketCountsCount());
  }

  private static long[] longs(List<Long> counts) {
    return counts.stream().mapToLong(count -> count).toArray();
  }

  /** Buckets may be left out, and then count and sum are all that is known. */
  static boolean isWithoutBuckets(long count, long zeroCount, int negative, int positive) {
    return count > 0 && zeroCount == 0 && negative == 0 && positive == 0;
  }

  /** An impossible scale is accepted where no bucket depends on it. */
  static long layout(int scale) {
    return BucketLayout.ofScale(BucketGrid.isScale(scale) ? scale : BucketGrid.SCALE);
  }

  static DecodedValue of(SummaryDataPoint point) {
    return observations(point.getCount(), point.getSum(), true, ABSENT, false, ABSENT, false);
  }

  private static DecodedValue single(double value) {
    return Double.isFinite(value)
        ? DecodedValue.of(value, 1, value, value)
        : DecodedValue.rejected(RejectionReason.VALUE_NOT_FINITE);
  }

  static DecodedValue observations(
      long count,
      double sum,
      boolean hasSum,
      double min,
      boolean hasMin,
      double max,
      boolean hasMax) {
    // OTLP counts are unsigned; one that does not fit a long is no real count.
    if (count < 0 || (count == 0 && hasSum && sum != 0 && !Double.isNaN(sum))) {
      return DecodedValue.rejected(RejectionReason.HISTOGRAM_INVALID);
    }
    if (hasSum && !Double.isFinite(sum)) {
      return DecodedValue.rejected(RejectionReason.VALUE_NOT_FINITE);
    }
    if (count == 0) {
      // Some senders put infinities into min and max of an empty histogram; they mean nothing.
      return DecodedValue.of(sum, 0, ABSENT, ABSENT);
    }
    if ((hasMin && !Double.isFinite(min)) || (hasMax && !Double.isFinite(max))) {
      return DecodedValue.rejected(RejectionReason.VALUE_NOT_FINITE);
    }
    if (hasMin && hasMax && min > max) {
      return DecodedValue.rejected(RejectionReason.HISTOGRAM_INVALID);
    }
    return DecodedValue.of(sum, count, min, max);
  }
}
