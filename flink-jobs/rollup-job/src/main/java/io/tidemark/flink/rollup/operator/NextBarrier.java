package io.tidemark.flink.rollup.operator;

/** Whether a checkpoint barrier is to be expected soon, from when the last ones came. */
final class NextBarrier {

  /** Checkpoints that were held up for longer do not delay the expectation. */
  private static final long LONGEST_MS = 10_000;

  private long latest = Long.MIN_VALUE;
  private long interval;

  void came(long now) {
    if (latest != Long.MIN_VALUE) {
      interval = Math.min(now - latest, LONGEST_MS);
    }
    latest = now;
  }

  /** In the last third of the time between barriers, and while nothing is known. */
  boolean isNear(long now) {
    return latest == Long.MIN_VALUE || now - latest >= interval - interval / 3;
  }
}
