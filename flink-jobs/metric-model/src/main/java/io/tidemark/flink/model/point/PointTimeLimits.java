package io.tidemark.flink.model.point;

import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.reject.RejectionReason;
import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which point times are believed, measured against the gateway's receive time.
 *
 * @param past how much older than its receipt a point may be: what is kept no longer is not amended
 * @param future how far ahead of the gateway's clock a sender's clock may run
 */
public record PointTimeLimits(Duration past, Duration future) implements Serializable {

  public static final PointTimeLimits DEFAULT =
      new PointTimeLimits(
          Duration.ofMillis(PlanDefaults.RETENTION.longestAgeMs()), Duration.ofMinutes(10));

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** The same for points that may be so old when they are received. */
  public PointTimeLimits upTo(long longestAgeMs) {
    return past.toMillis() == longestAgeMs
        ? this
        : new PointTimeLimits(Duration.ofMillis(longestAgeMs), future);
  }

  /**
   * @return null for a time that is accepted; {@code TOO_LATE} for one that lies too far back, and
   *     {@code TIMESTAMP_OUT_OF_RANGE} for one that is no time or lies too far ahead
   */
  public @Nullable RejectionReason rejection(long timeUnixNano, long receivedAtUnixMs) {
    if (accepts(timeUnixNano, receivedAtUnixMs)) {
      return null;
    }
    boolean isPast = timeUnixNano > 0 && timeUnixNano / NANOS_PER_MILLI < receivedAtUnixMs;
    return isPast ? RejectionReason.TOO_LATE : RejectionReason.TIMESTAMP_OUT_OF_RANGE;
  }

  /** False for 0, for times beyond the limits, and for unsigned values that do not fit a long. */
  public boolean accepts(long timeUnixNano, long receivedAtUnixMs) {
    if (timeUnixNano <= 0) {
      return false;
    }
    long timeMs = timeUnixNano / NANOS_PER_MILLI;
    return timeMs >= receivedAtUnixMs - past.toMillis()
        && timeMs <= receivedAtUnixMs + future.toMillis();
  }
}
