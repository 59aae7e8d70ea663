package io.tidemark.flink.model.rollup;

import java.io.Serializable;
import java.time.Duration;

/**
 * When a pane is emitted. A pane that opens before its window is complete goes out when the
 * watermark completes the window; a pane that opens later collects late points for a moment.
 * Neither waits for a watermark that stands still.
 *
 * @param patience longest wall-clock wait of a minute; of hours and days, beyond their length
 * @param lateCoalescing how long late points of one minute are collected into one row
 * @param lateCoarseCoalescing the same for hours and days
 */
public record PaneTiming(Duration patience, Duration lateCoalescing, Duration lateCoarseCoalescing)
    implements Serializable {

  public static final PaneTiming DEFAULT =
      new PaneTiming(Duration.ofSeconds(75), Duration.ofSeconds(7), Duration.ofSeconds(60));

  private static final long TIMER_STEP_MS = 1_000L;

  public static boolean isLate(RollupLevel level, long window, long watermark) {
    return watermark >= level.lastInstantOf(window);
  }

  /**
   * Processing time at which a pane that opens now is emitted at the latest, whole seconds. A
   * window that lies ahead of the wall clock is waited for.
   */
  public long emitAt(RollupLevel level, long window, boolean isLate, long processingTime) {
    long from = isLate ? processingTime : Math.max(processingTime, window);
    return Math.floorDiv(from + wait(level, isLate), TIMER_STEP_MS) * TIMER_STEP_MS;
  }

  /**
   * Whether the open pane of a minute holds all of its points: until then no pane of it was emitted
   * by the wall clock.
   */
  public boolean isWhole(long minute, long processingTime) {
    return processingTime < minute + patience.toMillis();
  }

  private long wait(RollupLevel level, boolean isLate) {
    boolean isMinute = level == RollupLevel.MINUTE;
    if (isLate) {
      return (isMinute ? lateCoalescing : lateCoarseCoalescing).toMillis();
    }
    return patience.toMillis() + (isMinute ? 0 : level.lengthMs());
  }
}
