package io.tidemark.flink.io.points;

import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
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
   */
  record Figures(
      @Nullable RejectionReason rejection, double sum, long count, double min, double max) {

    static Figures rejected(RejectionReason reason) {
      return new Figures(reason, ABSENT, 0, ABSENT, ABSENT);
    }
  }

  private PointValues() {}

  static Figures of(NumberDataPoint point) {
    return switch (point.getValueCase()) {
      case AS_INT -> single((double) point.getAsInt());
      case AS_DOUBLE -> single(point.getAsDouble());
      case VALUE_NOT_SET -> Figures.rejected(RejectionReason.VALUE_MISSING);
    };
  }

  static Figures of(HistogramDataPoint point) {
    if (!bucketsFit(point)) {
      return Figures.rejected(RejectionReason.HISTOGRAM_INVALID);
    }
    return observations(
        point.getCount(),
        point.hasSum() ? point.getSum() : ABSENT,
        point.hasSum(),
        point.hasMin() ? point.getMin() : ABSENT,
        point.hasMin(),
        point.hasMax() ? point.getMax() : ABSENT,
        point.hasMax());
  }

  static Figures of(ExponentialHistogramDataPoint point) {
    if (!bucketsFit(point)) {
      return Figures.rejected(RejectionReason.HISTOGRAM_INVALID);
    }
    return observations(
        point.getCount(),
        point.hasSum() ? point.getSum() : ABSENT,
        point.hasSum(),
        point.hasMin() ? point.getMin() : ABSENT,
        point.hasMin(),
        point.hasMax() ? point.getMax() : ABSENT,
        point.hasMax());
  }

  static Figures of(SummaryDataPoint point) {
    return observations(point.getCount(), point.getSum(), true, ABSENT, false, ABSENT, false);
  }

  private static Figures single(double value) {
    return Double.isFinite(value)
        ? new Figures(null, value, 1, value, value)
        : Figures.rejected(RejectionReason.VALUE_NOT_FINITE);
  }

  private static Figures observations(
      long count,
      double sum,
      boolean hasSum,
      double min,
      boolean hasMin,
      double max,
      boolean hasMax) {
    // OTLP counts are unsigned; one that does not fit a long is no real count.
    if (count < 0 || (count == 0 && hasSum && sum != 0 && !Double.isNaN(sum))) {
      return Figures.rejected(RejectionReason.HISTOGRAM_INVALID);
    }
    if (hasSum && !Double.isFinite(sum)) {
      return Figures.rejected(RejectionReason.VALUE_NOT_FINITE);
    }
    if (count == 0) {
      // Some senders put infinities into min and max of an empty histogram; they mean nothing.
      return new Figures(null, sum, 0, ABSENT, ABSENT);
    }
    if ((hasMin && !Double.isFinite(min)) || (hasMax && !Double.isFinite(max))) {
      return Figures.rejected(RejectionReason.VALUE_NOT_FINITE);
    }
    if (hasMin && hasMax && min > max) {
      return Figures.rejected(RejectionReason.HISTOGRAM_INVALID);
    }
    return new Figures(null, sum, count, min, max);
  }

  /** Buckets may be left out; if sent they are one more than the bounds and add up to the count. */
  private static boolean bucketsFit(HistogramDataPoint point) {
    List<Long> buckets = point.getBucketCountsList();
    if (buckets.isEmpty()) {
      return point.getExplicitBoundsCount() == 0;
    }
    return buckets.size() == point.getExplicitBoundsCount() + 1
        && addsUp(point.getCount(), 0, buckets, List.of());
  }

  private static boolean bucketsFit(ExponentialHistogramDataPoint point) {
    List<Long> positive = point.getPositive().getBucketCountsList();
    List<Long> negative = point.getNegative().getBucketCountsList();
    boolean leftOut = positive.isEmpty() && negative.isEmpty() && point.getZeroCount() == 0;
    return leftOut || addsUp(point.getCount(), point.getZeroCount(), positive, negative);
  }

  private static boolean addsUp(
      long count, long zeroCount, List<Long> positive, List<Long> negative) {
    long rest = count;
    for (List<Long> buckets : List.of(List.of(zeroCount), positive, negative)) {
      for (long bucket : buckets) {
        if (bucket < 0 || bucket > rest) {
          return false;
        }
        rest -= bucket;
      }
    }
    return rest == 0;
  }
}
