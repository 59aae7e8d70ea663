package io.tidemark.flink.model.rollup;

import io.tidemark.flink.model.distribution.Distribution;
import org.jspecify.annotations.Nullable;

/**
 * What one point adds to its minute. NaN means absent; every other figure is finite. A correction
 * may take away: its sum and counts may be negative.
 *
 * @param sum sum of the values
 * @param count number of values; for histograms and summaries the number of observations
 * @param min least value
 * @param max greatest value
 * @param last the value itself, for kinds that have one
 * @param distribution the observations by bucket; null when the sender gave no buckets
 */
public record Contribution(
    double sum,
    long count,
    double min,
    double max,
    double last,
    @Nullable Distribution distribution) {

  public static final double ABSENT = Double.NaN;

  public Contribution {
    sum = withoutNegativeZero(sum);
    min = withoutNegativeZero(min);
    max = withoutNegativeZero(max);
    last = withoutNegativeZero(last);
  }

  /** A single value: gauges and sums. */
  public static Contribution ofValue(double value) {
    return new Contribution(value, 1, value, value, value, null);
  }

  /** Many observations at once: histograms and summaries. They have no last value. */
  public static Contribution ofObservations(long count, double sum, double min, double max) {
    return new Contribution(sum, count, min, max, ABSENT, null);
  }

  public Contribution with(@Nullable Distribution observations) {
    return new Contribution(sum, count, min, max, last, observations);
  }

  public static boolean isPresent(double figure) {
    return !Double.isNaN(figure);
  }

  /** -0.0 and 0.0 are one number to a customer; only 0.0 is kept. */
  private static double withoutNegativeZero(double figure) {
    return figure + 0.0;
  }
}
