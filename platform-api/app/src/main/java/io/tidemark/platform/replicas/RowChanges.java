package io.tidemark.platform.replicas;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers whether a row changed since it was read, as PostgreSQL notifies of changes by any
 * process. Whoever remembers rows takes the {@link #count} before reading them and asks {@link
 * #changedSince} before using them.
 *
 * <p>It only shortens the time for which something remembered is used: a change that was not heard
 * of is found when the memory expires.
 */
public final class RowChanges {

  /** Kinds of rows, with the words that triggers notify with. */
  public enum Kind {
    API_KEY("api_key"),
    /** Also the organisation's environments and service accounts. */
    ORGANIZATION("organization"),
    QUOTA("quota");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /** Beyond so many changed rows, everything counts as changed. */
  static final int MAX_NUMBER = 10_000;

  private final AtomicLong count = new AtomicLong();
  private final Map<String, Long> changed = new ConcurrentHashMap<>();
  private volatile long everything;

  /** How many changes were heard of until now. */
  public long count() {
    return count.get();
  }

  /**
   * Whether the row may have changed after the count was taken: a change of it was heard of, or one
   * may have been missed.
   *
   * @param id of the key, or of the organisation
   */
  public boolean changedSince(long countBefore, Kind kind, String id) {
    return everything > countBefore || notifiedSince(countBefore, kind, id);
  }

  /** Whether a change of this row was heard of after the count was taken. */
  public boolean notifiedSince(long countBefore, Kind kind, String id) {
    return count.get() != countBefore
        && changed.getOrDefault(kind.word + " " + id, 0L) > countBefore;
  }

  /**
   * Takes in a notification.
   *
   * @param payload word of a kind, a blank and an identifier
   */
  public synchronized void changed(String payload) {
    if (changed.size() >= MAX_NUMBER && !changed.containsKey(payload)) {
      everythingMayHaveChanged();
      changed.clear();
    }
    // Listed before it is counted: who sees the new count finds the row.
    changed.put(payload, count.get() + 1);
    count.incrementAndGet();
  }

  /** Notifications may have been missed. */
  public synchronized void everythingMayHaveChanged() {
    everything = count.get() + 1;
    count.incrementAndGet();
  }

  /** How many rows are remembered. */
  int size() {
    return changed.size();
  }
}
