package io.tidemark.flink.rollup.orders;

import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one point says of many observations.
 *
 * @param count of observations, by its own account
 * @param sum null when it is not sent
 * @param min null when it is not sent
 * @param max null when it is not sent
 * @param buckets null when none are sent
 */
record SentHistogram(
    long count,
    @Nullable Double sum,
    @Nullable Double min,
    @Nullable Double max,
    @Nullable Buckets buckets) {

  sealed interface Buckets permits Explicit, Exponential {}

  /** One count more than bounds. */
  record Explicit(List<Double> bounds, List<Long> counts) implements Buckets {}

  record Exponential(int scale, long zeroCount, Side positive, Side negative) implements Buckets {}

  /** Counts of neighbouring buckets, of which the first has number {@code offset}. */
  record Side(int offset, List<Long> counts) {}

  void into(HistogramDataPoint.Builder point) {
    point.setCount(count);
    if (sum != null) {
      point.setSum(sum);
    }
    if (min != null && max != null) {
      point.setMin(min).setMax(max);
    }
    if (buckets instanceof Explicit explicit) {
      point.addAllExplicitBounds(explicit.bounds()).addAllBucketCounts(explicit.counts());
    }
  }

  void into(ExponentialHistogramDataPoint.Builder point) {
    point.setCount(count);
    if (sum != null) {
      point.setSum(sum);
    }
    if (min != null && max != null) {
      point.setMin(min).setMax(max);
    }
    if (buckets instanceof Exponential exponential) {
      point
          .setScale(exponential.scale())
          .setZeroCount(exponential.zeroCount())
          .setPositive(side(exponential.positive()))
          .setNegative(side(exponential.negative()));
    }
  }

  /** Columns of the table {@code points} from count on, for COPY. */
  String columns() {
    String figures = String.join("\t", Long.toString(count), text(sum), text(min), text(max));
    if (buckets instanceof Explicit explicit) {
      return String.join(
          "\t", figures, array(explicit.bounds()), array(explicit.counts()), absent(6));
    }
    if (buckets instanceof Exponential exponential) {
      return String.join(
          "\t",
          figures,
          absent(2),
          Integer.toString(exponential.scale()),
          Long.toString(exponential.zeroCount()),
          Integer.toString(exponential.positive().offset()),
          array(exponential.positive().counts()),
          Integer.toString(exponential.negative().offset()),
          array(exponential.negative().counts()));
    }
    return figures + "\t" + absent(8);
  }

  /** So many columns without a value. */
  static String absent(int columns) {
    return String.join("\t", java.util.Collections.nCopies(columns, "\\N"));
  }

  private static ExponentialHistogramDataPoint.Buckets.Builder side(Side side) {
    return ExponentialHistogramDataPoint.Buckets.newBuilder()
        .setOffset(side.offset())
        .addAllBucketCounts(side.counts());
  }

  private static String text(@Nullable Double figure) {
    return figure == null ? "\\N" : figure.toString();
  }

  private static String array(List<? extends Number> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
  }
}
