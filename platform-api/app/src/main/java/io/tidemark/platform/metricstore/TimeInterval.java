package io.tidemark.platform.metricstore;

import java.time.Duration;
import java.time.Instant;

/** A span of time with an exclusive end; never empty. */
public record TimeInterval(Instant start, Instant end) {

  public TimeInterval {
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException("An interval starts before it ends");
    }
  }

  /** From start to end. */
  public Duration length() {
    return Duration.between(start, end);
  }
}
