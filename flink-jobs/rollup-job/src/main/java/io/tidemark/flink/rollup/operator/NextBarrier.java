package io.tidemark.flink.rollup.operator;

/** When the next checkpoint barrier is to be expected, from when the last ones came. */
final class NextBarrier {

  /** Checkpoints that were held up for longer do not delay the expectation. */
  private static final long LONGEST_MS = 10_000;

  private boolean isKnown;
  private long latest;
  private long interval;

  void came(long now) {
    if (isKnown) {
      interval = Math.min(now - latest, LONGEST_MS);
    }
    isKnown = true;
    latest = now;
  }

  /** In the past while nothing is known, and while a barrier is late. */
  long expectedAt() {
    return latest + interval;
  }

  /** In the last third of the time between barriers, and while nothing is known. */
  boolean isNear(long now) {
    return expectedAt() - now <= interval / 3;
  }
}
