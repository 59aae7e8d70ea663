package io.tidemark.platform.completeness.kafka;

import io.tidemark.platform.completeness.ReadProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Up to when acknowledged points have been read. What is acknowledged before a time lies before the
 * end that the topic had then, so it is read once the reader has passed that end. One thread looks,
 * any thread asks.
 */
final class ReadPosition {

  /**
   * A reader that keeps up passes an end with its second checkpoint, ten seconds later. One that is
   * this late has a backlog, or does not read.
   */
  static final Duration BEHIND_AFTER = Duration.ofSeconds(30);

  static final int MAX_ENDS = 128;

  private record End(Instant at, Map<Integer, Long> offsets) {}

  private final Instant begun;
  private final Deque<End> unread = new ArrayDeque<>();
  private Duration step = Duration.ZERO;
  private volatile @Nullable Instant until;

  /** Nothing is known at this time. */
  ReadPosition(Instant begun) {
    this.begun = begun;
  }

  /**
   * Looks at the topic.
   *
   * @param now before the ends were asked for
   * @param ends offset after the last record of each partition, whether it can be read yet or not
   * @param read offsets that the reader has read up to; partitions that it never read may be absent
   */
  void look(Instant now, Map<Integer, Long> ends, Map<Integer, Long> read) {
    add(new End(now, Map.copyOf(ends)));
    while (!unread.isEmpty() && isRead(unread.getFirst(), read)) {
      until = unread.removeFirst().at();
    }
    if (unread.isEmpty()) {
      step = Duration.ZERO;
    }
  }

  /** The newest is always there; those before it are a step apart, which grows with the backlog. */
  private void add(End newest) {
    End last = unread.pollLast();
    if (last != null) {
      End before = unread.peekLast();
      if (before == null || Duration.between(before.at(), last.at()).compareTo(step) >= 0) {
        unread.addLast(last);
      }
    }
    unread.addLast(newest);
    if (unread.size() > MAX_ENDS) {
      step = Duration.between(unread.getFirst().at(), newest.at()).dividedBy(MAX_ENDS / 2);
      boolean isKept = false;
      for (Iterator<End> ends = unread.iterator(); ends.hasNext(); isKept = !isKept) {
        if (!ends.next().equals(newest) && !isKept) {
          ends.remove();
        }
      }
    }
  }

  private static boolean isRead(End end, Map<Integer, Long> read) {
    return end.offsets().entrySet().stream()
        .allMatch(each -> read.getOrDefault(each.getKey(), 0L) >= each.getValue());
  }

  /** What is known at a time. */
  ReadProgress at(Instant now) {
    Instant known = until;
    Duration age = Duration.between(known == null ? begun : known, now);
    return new ReadProgress(Optional.ofNullable(known), age.compareTo(BEHIND_AFTER) > 0);
  }
}
