package io.tidemark.flink.model.cumulative;

/**
 * A running total as sent. Kept in state until its turn in event order has come.
 *
 * @param startUnixNano since when the total runs; 0 when the sender does not say
 * @param sum the total; NaN when a histogram has none
 * @param count observations so far; 0 for counters
 * @param batchId batch it came with
 * @param receivedAtUnixMs when the gateway received that batch
 */
public record CumulativeReading(
    long startUnixNano, double sum, long count, String batchId, long receivedAtUnixMs) {

  /** Whether both say the same, whichever batch brought them. */
  public boolean agreesWith(CumulativeReading other) {
    return startUnixNano == other.startUnixNano
        && Double.compare(sum, other.sum) == 0
        && count == other.count;
  }
}
