package io.tidemark.flink.model.usage;

/**
 * An hour of a subject, by receipt.
 *
 * @param startUnixMs start of the hour
 */
public record UsageHour(UsageSubject subject, long startUnixMs) {

  public static final long LENGTH_MS = 3_600_000L;

  /** The hour in which something was received. */
  public static UsageHour at(UsageSubject subject, long receivedAtUnixMs) {
    return new UsageHour(subject, startOf(receivedAtUnixMs));
  }

  public static long startOf(long unixMs) {
    return Math.floorDiv(unixMs, LENGTH_MS) * LENGTH_MS;
  }

  public long endUnixMs() {
    return startUnixMs + LENGTH_MS;
  }
}
