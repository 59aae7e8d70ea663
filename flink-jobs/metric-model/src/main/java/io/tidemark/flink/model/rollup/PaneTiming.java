package io.tidemark.flink.model.rollup;

import java.io.Serializable;
import java.time.Duration;

/**
 * When a pane is emitted. A pane that opens before its minute is complete goes out when the
 * watermark completes the minute; a pane that opens later collects late points for a moment.
 * Neither waits for a watermark that stands still.
 *
 * @param patience longest wall-clock wait of any pane
 * @param lateCoalescing how long late points of one minute are collected into one row
 */
public record PaneTiming(Duration patience, Duration lateCoalescing) implements Serializable {

  public static final PaneTiming DEFAULT =
      new PaneTiming(Duration.ofSeconds(75), Duration.ofSeconds(7));

  private static final long TIMER_STEP_MS = 1_000L;

  public static boolean isLate(long minute, long watermark) {
    return watermark >= MinuteGrid.lastInstantOf(minute);
  }

  /** Processing time at which a pane that opens now is emitted at the latest, whole seconds. */
  public long emitAt(long minute, long watermark, long processingTime) {
    Duration wait = isLate(minute, watermark) ? lateCoalescing : patience;
    return Math.floorDiv(processingTime + wait.toMillis(), TIMER_STEP_MS) * TIMER_STEP_MS;
  }
}
