package io.tidemark.platform.notification;

import java.time.Duration;
import java.util.List;

/**
 * When a message is tried again. A receiver that is away is tried often enough to be found back
 * within minutes; one that answers but does not want the message is left in peace for longer. Pure.
 */
final class RetrySchedule {

  private static final List<Duration> AWAY =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5));

  private static final List<Duration> REFUSED =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  private static final Duration LONGEST_WISH = Duration.ofHours(24);
  private static final double JITTER = 0.2;

  private RetrySchedule() {}

  /**
   * @param failures so far, 1 after the first
   * @param isAway there was no answer, or one of the receiver's own trouble
   * @param random 0 to 1
   */
  static Duration next(int failures, boolean isAway, double random) {
    List<Duration> waits = isAway ? AWAY : REFUSED;
    Duration wait = waits.get(Math.min(Math.max(failures, 1), waits.size()) - 1);
    return jittered(wait, random);
  }

  /** What the receiver asked for, within reason; never sooner. */
  static Duration wished(Duration retryAfter, Duration otherwise, double random) {
    Duration wish = retryAfter.compareTo(LONGEST_WISH) > 0 ? LONGEST_WISH : retryAfter;
    Duration longer = wish.compareTo(otherwise) > 0 ? wish : otherwise;
    return longer.plusMillis((long) (longer.toMillis() * JITTER * random));
  }

  private static Duration jittered(Duration wait, double random) {
    return Duration.ofMillis((long) (wait.toMillis() * (1 - JITTER + 2 * JITTER * random)));
  }
}
