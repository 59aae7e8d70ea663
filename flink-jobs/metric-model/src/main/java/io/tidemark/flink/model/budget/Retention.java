package io.tidemark.flink.model.budget;

import java.io.Serializable;

/**
 * How long data of one environment are kept, by level, in seconds; every number is at least 1.
 *
 * @param raw points as sent
 * @param minutes rows of minutes
 * @param hours rows of hours
 * @param days rows of days
 */
public record Retention(long raw, long minutes, long hours, long days) implements Serializable {

  /** For points whose age was judged before. */
  public static final Retention FOREVER =
      new Retention(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /** This retention, where a number that is not positive stands for the one of {@code plan}. */
  public Retention orElse(Retention plan) {
    return new Retention(
        raw > 0 ? raw : plan.raw,
        minutes > 0 ? minutes : plan.minutes,
        hours > 0 ? hours : plan.hours,
        days > 0 ? days : plan.days);
  }

  /**
   * How old a point may be when it is received, in milliseconds: as long as some level would still
   * show it.
   */
  public long longestAgeMs() {
    long longest = Math.max(minutes, Math.max(hours, days));
    return longest > Long.MAX_VALUE / 1_000 ? Long.MAX_VALUE : longest * 1_000;
  }
}
