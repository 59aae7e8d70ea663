package io.tidemark.flink.model.rollup;

/** The windows that are rolled up: UTC minutes, hours and days, each fed by the one before. */
public enum RollupLevel {
  MINUTE(60_000L),
  HOUR(3_600_000L),
  DAY(86_400_000L);

  private static final RollupLevel[] LEVELS = values();

  private final long lengthMs;

  RollupLevel(long lengthMs) {
    this.lengthMs = lengthMs;
  }

  public long lengthMs() {
    return lengthMs;
  }

  /** Start of the window of a time, both in milliseconds since the Unix epoch. */
  public long windowOf(long timeMs) {
    return Math.floorDiv(timeMs, lengthMs) * lengthMs;
  }

  /** The last millisecond of a window: a watermark at or after it says the window is complete. */
  public long lastInstantOf(long window) {
    return window + lengthMs - 1;
  }

  public boolean isCoarsest() {
    return this == DAY;
  }

  /** The level that this one feeds; a day feeds none. */
  public RollupLevel coarser() {
    if (isCoarsest()) {
      throw new IllegalStateException("Nothing is coarser than a day");
    }
    return LEVELS[ordinal() + 1];
  }
}
