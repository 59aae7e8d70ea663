package io.tidemark.platform.lineage;

import io.tidemark.platform.metricstore.TimeInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What came in each minute of a window.
 *
 * @param minutes all of the window, the oldest first; empty when they are not known
 * @param missing why they are not known; null when they are
 */
public record Counts(List<Minute> minutes, @Nullable String missing) {

  /**
   * One minute.
   *
   * @param isComplete whether no more of it will come, but for what is late
   */
  public record Minute(Instant start, long count, boolean isComplete) {}

  private static final Duration MINUTE = Duration.ofMinutes(1);

  public Counts {
    minutes = List.copyOf(minutes);
  }

  /**
   * Counts of a window.
   *
   * @param found by start of minute; a minute that is missing has none
   * @param completeUntil minutes that end at or before it are complete
   */
  static Counts of(TimeInterval window, Map<Instant, Long> found, Instant completeUntil) {
    List<Minute> minutes = new ArrayList<>();
    for (Instant start = window.start(); start.isBefore(window.end()); start = start.plus(MINUTE)) {
      minutes.add(
          new Minute(
              start, found.getOrDefault(start, 0L), !start.plus(MINUTE).isAfter(completeUntil)));
    }
    return new Counts(minutes, null);
  }

  static Counts unknown(String why) {
    return new Counts(List.of(), why);
  }

  /** Whether it is known that nothing came. */
  boolean isNothing() {
    return missing == null && minutes.stream().allMatch(minute -> minute.count() == 0);
  }

  /** Whether it is known that something came. */
  boolean isSomething() {
    return minutes.stream().anyMatch(minute -> minute.count() > 0);
  }

  /** The mean of complete minutes: an open one would look like a drop. */
  public OptionalDouble perMinute() {
    return minutes.stream().filter(Minute::isComplete).mapToLong(Minute::count).average();
  }
}
