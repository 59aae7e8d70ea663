package io.tidemark.flink.model.cumulative;

import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import org.jspecify.annotations.Nullable;

/**
 * A reading that was used: what the next one is compared with. State of the rollup job.
 *
 * @param startUnixNano its start; 0 when unknown
 * @param timeUnixNano its time
 * @param sum its total, or NaN
 * @param count its observations; 0 for counters
 * @param distribution its observations by bucket; null without buckets
 * @param layout the sender's buckets, see {@link BucketLayout}
 */
public record CumulativeReference(
    long startUnixNano,
    long timeUnixNano,
    double sum,
    long count,
    @Nullable Distribution distribution,
    long layout) {

  /** A reference without buckets. */
  public CumulativeReference(long startUnixNano, long timeUnixNano, double sum, long count) {
    this(startUnixNano, timeUnixNano, sum, count, null, BucketLayout.NONE);
  }
}
