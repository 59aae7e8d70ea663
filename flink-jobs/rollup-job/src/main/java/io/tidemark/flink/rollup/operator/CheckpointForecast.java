package io.tidemark.flink.rollup.operator;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * When the next checkpoint barrier is to be expected: as long after the start of the last
 * checkpoint as checkpoints lately started after each other at the least. One that was held up on
 * its way does not delay the next, which then comes soon after it.
 */
final class CheckpointForecast {

  /** Checkpoints that were held up for longer do not delay the expectation. */
  private static final long LONGEST_MS = 10_000;

  private static final int REMEMBERED = 4;

  private final Deque<Barrier> latest = new ArrayDeque<>();
  private final long configured;
  private long expectedAt;
  private long rowsDueAt;
  private long interval;

  private record Barrier(long startedAt, long cameAt) {}

  /**
   * None came yet.
   *
   * @param configured milliseconds between checkpoints; 0 when that is not known
   */
  CheckpointForecast(long configured, long now) {
    this.configured = configured;
    this.interval = configured;
    this.expectedAt = configured == 0 ? 0 : now + configured;
    this.rowsDueAt = expectedAt;
  }

  /**
   * @param startedAt when the checkpoint was started, by whichever clock
   * @param now when its barrier is here, by the clock of this task
   */
  void came(long startedAt, long now) {
    if (latest.size() > REMEMBERED) {
      latest.removeFirst();
    }
    latest.addLast(new Barrier(startedAt, now));
    long shortest = LONGEST_MS;
    long onTheWay = Long.MAX_VALUE;
    Barrier before = null;
    for (Barrier barrier : latest) {
      onTheWay = Math.min(onTheWay, barrier.cameAt() - barrier.startedAt());
      if (before != null) {
        shortest = Math.min(shortest, barrier.startedAt() - before.startedAt());
      }
      before = barrier;
    }
    interval = latest.size() > 1 ? Math.max(0, shortest) : configured;
    expectedAt = startedAt + onTheWay + interval;
    // Not when it came: rows that went out held it up. A clock of this task that is ahead makes
    // them go too early, which does no harm.
    rowsDueAt = Math.min(expectedAt, startedAt + interval);
  }

  /** In the past while nothing is known, and while a barrier is late. */
  long expectedAt() {
    return expectedAt;
  }

  /** When the rows that go before it should be out, so that it does not wait for them. */
  long rowsDueAt() {
    return rowsDueAt;
  }

  /** Whether one is still to come by what is known. */
  boolean isForeseen(long now) {
    return now < expectedAt;
  }

  /** In the last third of the time between barriers, and while nothing is known. */
  boolean isNear(long now) {
    return expectedAt - now <= interval / 3;
  }
}
