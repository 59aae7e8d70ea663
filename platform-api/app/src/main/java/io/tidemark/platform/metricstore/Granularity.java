package io.tidemark.platform.metricstore;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Width of a bucket, and the longest interval that may be asked with it. */
public enum Granularity {
  PT1M(Duration.ofMinutes(1), Duration.ofHours(6)),
  PT5M(Duration.ofMinutes(5), Duration.ofDays(1)),
  PT15M(Duration.ofMinutes(15), Duration.ofDays(4)),
  PT30M(Duration.ofMinutes(30), Duration.ofDays(7)),
  PT1H(Duration.ofHours(1), null),
  PT4H(Duration.ofHours(4), null),
  PT6H(Duration.ofHours(6), null),
  PT12H(Duration.ofHours(12), null),
  P1D(Duration.ofDays(1), null),
  ALL(null, null);

  private final @Nullable Duration width;
  private final @Nullable Duration maxInterval;

  Granularity(@Nullable Duration width, @Nullable Duration maxInterval) {
    this.width = width;
    this.maxInterval = maxInterval;
  }

  /** Width of a bucket; empty for ALL, which has one bucket. */
  public Optional<Duration> width() {
    return Optional.ofNullable(width);
  }

  /** Longest interval; empty when any is allowed. */
  public Optional<Duration> maxInterval() {
    return Optional.ofNullable(maxInterval);
  }

  /** How many buckets an interval touches, the first and last possibly in part. */
  public long bucketsIn(TimeInterval interval) {
    if (width == null) {
      return 1;
    }
    long step = width.toMillis();
    long first = Math.floorDiv(interval.start().toEpochMilli(), step);
    long last = Math.floorDiv(interval.end().toEpochMilli() - 1, step);
    return last - first + 1;
  }
}
