package io.tidemark.flink.model.usage;

import java.time.Duration;

/**
 * When what was metered is written. The first record of an hour comes soon, so that a draft invoice
 * shows a new sender within a minute; each further one waits four times as long, a quarter of an
 * hour at most, so that an hour of a steady sender has eight records and not hundreds; the last one
 * comes after the hour's end. What is read later than that waits as long as the first.
 *
 * @param first how long the first record of an hour waits
 * @param closing how long after the end of the hour its last regular record is written
 */
public record UsageFlushRule(Duration first, Duration closing) implements java.io.Serializable {

  public static final UsageFlushRule DEFAULT =
      new UsageFlushRule(Duration.ofSeconds(10), Duration.ofSeconds(10));

  private static final int GROWTH = 4;
  private static final Duration LONGEST = Duration.ofMinutes(15);

  /**
   * When units that are metered now are written.
   *
   * @param written records that this hour has already
   */
  public long flushAt(UsageHour hour, long now, int written) {
    long wait = first.toMillis();
    for (int i = 0; i < written && wait < LONGEST.toMillis(); i++) {
      wait = Math.min(wait * GROWTH, LONGEST.toMillis());
    }
    return isOver(hour, now) ? now + first.toMillis() : Math.min(now + wait, closesAt(hour));
  }

  /** Whether the last regular record of the hour is due. */
  public boolean isOver(UsageHour hour, long now) {
    return now >= closesAt(hour);
  }

  /**
   * Until when the number of written records is remembered; an hour that lies in the future, by a
   * clock that runs ahead, is not remembered until then.
   */
  public long rememberedUntil(UsageHour hour, long now) {
    return Math.min(closesAt(hour), now + UsageHour.LENGTH_MS);
  }

  private long closesAt(UsageHour hour) {
    return hour.endUnixMs() + closing.toMillis();
  }
}
