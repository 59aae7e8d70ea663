package io.tidemark.flink.model.completeness;

import io.tidemark.flink.model.rollup.RollupLevel;

/**
 * Tells when event time first passes the end of a minute. Of minutes that follow each other within
 * {@value #MIN_APART_MS} ms of the clock, as when a job catches up, only the first is told: what is
 * done at an end must not be done hundreds of times a second.
 */
public final class MinuteEndDetector {

  static final long MIN_APART_MS = 20_000L;

  private long windowOfLast = Long.MIN_VALUE;
  private long toldAt = Long.MIN_VALUE;

  /**
   * @param until event time that is reached, exclusive, in Unix milliseconds
   * @param now the clock, in Unix milliseconds
   */
  public boolean isPassed(long until, long now) {
    long window = RollupLevel.MINUTE.windowOf(until);
    if (window <= windowOfLast || (toldAt != Long.MIN_VALUE && now - toldAt < MIN_APART_MS)) {
      return false;
    }
    windowOfLast = window;
    toldAt = now;
    return true;
  }
}
