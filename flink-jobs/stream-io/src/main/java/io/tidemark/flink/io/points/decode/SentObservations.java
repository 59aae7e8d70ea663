package io.tidemark.flink.io.points.decode;

import org.jspecify.annotations.Nullable;

/**
 * A histogram, exponential histogram or summary as sent. What a kind does not have is null.
 *
 * @param count observations
 * @param sum null when not sent
 * @param min null when not sent
 * @param max null when not sent
 * @param bucketCounts of a histogram
 * @param explicitBounds of a histogram, one less than the counts
 * @param exponential of an exponential histogram
 * @param quantiles of a summary, 0 to 1
 * @param quantileValues of a summary, as many as quantiles
 */
@SuppressWarnings("ArrayRecordComponent") // Columns on their way to a file; never compared.
public record SentObservations(
    long count,
    @Nullable Double sum,
    @Nullable Double min,
    @Nullable Double max,
    long @Nullable [] bucketCounts,
    double @Nullable [] explicitBounds,
    @Nullable Exponential exponential,
    double @Nullable [] quantiles,
    double @Nullable [] quantileValues) {

  /**
   * Buckets of an exponential histogram.
   *
   * @param scale the base is 2 to the power of 2 to the power of -scale
   * @param zeroCount observations of about 0
   * @param zeroThreshold what counts as about 0
   * @param positiveOffset number of the first positive bucket
   * @param positiveCounts positive buckets
   * @param negativeOffset number of the first negative bucket
   * @param negativeCounts negative buckets
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Exponential(
      int scale,
      long zeroCount,
      double zeroThreshold,
      int positiveOffset,
      long[] positiveCounts,
      int negativeOffset,
      long[] negativeCounts) {}
}
