package io.tidemark.flink.replay;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@code raw_points}. What a kind of point does not have is null.
 *
 * @param metricType as in rollup rows: gauge, counter, updown_counter, histogram,
 *     exponential_histogram, summary
 * @param temporality instant, delta or cumulative
 * @param startUnixNano 0 when the sender did not say
 * @param receivedAtUnixMs when the gateway received the batch
 */
record RawPoint(
    String environmentId,
    String metric,
    String metricType,
    String unit,
    Map<String, String> resource,
    Map<String, String> attributes,
    String temporality,
    long startUnixNano,
    long timeUnixNano,
    int flags,
    Numbers numbers,
    Histogram histogram,
    long receivedAtUnixMs,
    String batchId,
    int partition,
    long offset,
    int index) {

  /**
   * Of a gauge or sum.
   *
   * @param whole set when the value was sent as an integer that a double does not hold
   */
  record Numbers(@Nullable Double value, boolean isInt, @Nullable Long whole) {
    static final Numbers NONE = new Numbers(null, false, null);
  }

  /** Of a histogram of either kind or a summary. */
  record Histogram(
      @Nullable Long count,
      @Nullable Double sum,
      @Nullable Double min,
      @Nullable Double max,
      @Nullable List<Long> bucketCounts,
      @Nullable List<Double> bounds,
      @Nullable Integer scale,
      @Nullable Long zeroCount,
      @Nullable Double zeroThreshold,
      @Nullable Integer positiveOffset,
      @Nullable List<Long> positiveCounts,
      @Nullable Integer negativeOffset,
      @Nullable List<Long> negativeCounts,
      @Nullable List<Double> quantiles,
      @Nullable List<Double> quantileValues) {
    static final Histogram NONE =
        new Histogram(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null);
  }

  /** Whether both came with the same record of the points topic. */
  boolean isOfBatch(RawPoint other) {
    return partition == other.partition
        && offset == other.offset
        && receivedAtUnixMs == other.receivedAtUnixMs;
  }
}
