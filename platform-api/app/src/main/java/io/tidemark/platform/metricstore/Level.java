package io.tidemark.platform.metricstore;

/** How wide the windows of stored rows are. */
public enum Level {
  MINUTE(60_000L),
  HOUR(3_600_000L),
  DAY(86_400_000L);

  private final long width;

  Level(long width) {
    this.width = width;
  }

  /** In milliseconds. */
  public long width() {
    return width;
  }

  /** Whether buckets of the granularity are made of whole windows. */
  public boolean fits(Granularity granularity) {
    return granularity.width().isEmpty() || granularity.width().get().toMillis() % width == 0;
  }
}
