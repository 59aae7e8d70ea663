package io.tidemark.flink.rollup.operator;

import java.time.Duration;

/**
 * How long what came waits for more to go with it: the less went last time, the shorter. Little
 * costs little to send, and somebody may be looking; much is cheaper together.
 */
final class AdaptiveLinger {
  private static final long SHORTEST_MS = 200;

  /** What went last time makes one wait a millisecond longer for each so many. */
  private static final int ITEMS_PER_MS = 4;

  private final long longestMs;
  private int last;

  AdaptiveLinger(Duration longest) {
    this.longestMs = longest.toMillis();
  }

  /** So many points or cells went. */
  void sent(int items) {
    last = items;
  }

  long millis() {
    return Math.min(longestMs, SHORTEST_MS + last / ITEMS_PER_MS);
  }
}
