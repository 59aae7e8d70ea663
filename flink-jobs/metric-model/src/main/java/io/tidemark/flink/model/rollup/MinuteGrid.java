package io.tidemark.flink.model.rollup;

/** UTC minutes. A minute is named by its start and ends, exclusively, 60 seconds later. */
public final class MinuteGrid {

  public static final long MINUTE_MS = 60_000L;
  private static final long NANOS_PER_MINUTE = 60_000_000_000L;

  private MinuteGrid() {}

  /** Start of the minute of a time in nanoseconds, in milliseconds since the Unix epoch. */
  public static long minuteOf(long timeUnixNano) {
    return Math.floorDiv(timeUnixNano, NANOS_PER_MINUTE) * MINUTE_MS;
  }

  /** The last millisecond of a minute: a watermark at or after it says the minute is complete. */
  public static long lastInstantOf(long minute) {
    return minute + MINUTE_MS - 1;
  }
}
