package io.tidemark.flink.io.points.decode;

import org.jspecify.annotations.Nullable;

/**
 * One data point as its sender wrote it, beside what names its series and its time.
 *
 * @param temporality what the sender said about the interval
 * @param startUnixNano as sent; 0 when absent
 * @param flags OTLP flags
 * @param isInt whether a number was sent as an integer
 * @param valueBits the integer, or the bits of the double; 0 for observations
 * @param observations null for numbers
 */
public record SentPoint(
    Temporality temporality,
    long startUnixNano,
    int flags,
    boolean isInt,
    long valueBits,
    @Nullable SentObservations observations) {

  /** What interval a value belongs to. */
  public enum Temporality {
    /** Gauges have no interval. */
    INSTANT,
    DELTA,
    CUMULATIVE;

    public String wireName() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
