package io.tidemark.flink.model.cumulative;

import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A running total as sent. Kept in state until its turn in event order has come.
 *
 * @param startUnixNano since when the total runs; 0 when the sender does not say
 * @param sum the total; NaN when a histogram has none
 * @param count observations so far; 0 for counters
 * @param distribution the observations by bucket, not changed any more; null without buckets
 * @param layout the sender's buckets, see {@link BucketLayout}
 * @param batchId batch it came with
 * @param receivedAtUnixMs when the gateway received that batch
 */
public record CumulativeReading(
    long startUnixNano,
    double sum,
    long count,
    @Nullable Distribution distribution,
    long layout,
    String batchId,
    long receivedAtUnixMs) {

  /** A reading without buckets. */
  public CumulativeReading(
      long startUnixNano, double sum, long count, String batchId, long receivedAtUnixMs) {
    this(startUnixNano, sum, count, null, BucketLayout.NONE, batchId, receivedAtUnixMs);
  }

  /** Whether both say the same, whichever batch brought them. */
  public boolean agreesWith(CumulativeReading other) {
    return startUnixNano == other.startUnixNano
        && Double.compare(sum, other.sum) == 0
        && count == other.count
        && layout == other.layout
        && Objects.equals(distribution, other.distribution);
  }
}
