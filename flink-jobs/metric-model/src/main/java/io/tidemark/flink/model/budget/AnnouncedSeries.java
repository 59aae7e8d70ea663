package io.tidemark.flink.model.budget;

import java.time.Duration;

/**
 * The series that one reader of the points topic sends on under their own names, up to a limit:
 * first come, first served. A series is forgotten after one to two hours without {@link #admits}.
 */
final class AnnouncedSeries {

  static final Duration GENERATION = Duration.ofHours(1);

  private KeySet current = new KeySet();
  private KeySet previous = new KeySet();
  private int inBoth;
  private long turnsAt;

  AnnouncedSeries(long now) {
    turnsAt = now + GENERATION.toMillis();
  }

  int size() {
    return current.size() + previous.size() - inBoth;
  }

  /** Whether the series is one of them, perhaps from now on. */
  boolean admits(long key, long limit, long now) {
    turn(now);
    boolean isOld = previous.contains(key);
    if (!isOld && !current.contains(key) && size() >= limit) {
      return false;
    }
    if (current.add(key) && isOld) {
      inBoth++;
    }
    return true;
  }

  /** Whether nothing has been admitted for so long that all is forgotten. */
  boolean isEmpty(long now) {
    turn(now);
    return size() == 0;
  }

  private void turn(long now) {
    while (now >= turnsAt) {
      previous = current;
      current = new KeySet();
      inBoth = 0;
      boolean isLongAgo = now - turnsAt >= GENERATION.toMillis();
      turnsAt =
          isLongAgo && previous.size() == 0
              ? now + GENERATION.toMillis()
              : turnsAt + GENERATION.toMillis();
    }
  }
}
