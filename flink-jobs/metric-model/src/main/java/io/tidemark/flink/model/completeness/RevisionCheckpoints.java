package io.tidemark.flink.model.completeness;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Tells when a checkpoint has committed rows of minutes that were stated before: whoever decided
 * them waits for the next statement. Not again within {@value #MIN_APART_MS} ms of the clock, so
 * that a tenant whose rows are late all the time costs one checkpoint more for each periodic one.
 * Not when it has committed {@value #BACKLOG_ROWS} of them or more: they are a backlog, and every
 * checkpoint splits a minute of each of its series into two rows.
 */
public final class RevisionCheckpoints {

  static final long MIN_APART_MS = 4_000L;

  static final long BACKLOG_ROWS = 20_000L;

  private final TreeMap<Long, Long> revising = new TreeMap<>();
  private long revised;
  private long toldAt = Long.MIN_VALUE;

  /**
   * Rows of a stated minute were written.
   *
   * @param rows how many
   */
  public void revised(long rows) {
    revised += rows;
  }

  /** A checkpoint commits what was written since the one before; whether such rows are among it. */
  public boolean checkpoint(long checkpoint) {
    boolean isRevising = revised > 0;
    if (isRevising) {
      revising.put(checkpoint, revised);
      revised = 0;
    }
    return isRevising;
  }

  /**
   * Whether this checkpoint, with those that it stands for, has committed such rows, and somebody
   * should not wait for the next statement.
   *
   * @param now the clock, in Unix milliseconds
   */
  public boolean isCommitted(long checkpoint, long now) {
    NavigableMap<Long, Long> committed = revising.headMap(checkpoint, true);
    long rows = committed.values().stream().mapToLong(Long::longValue).sum();
    committed.clear();
    if (rows == 0
        || rows >= BACKLOG_ROWS
        || (toldAt != Long.MIN_VALUE && now - toldAt < MIN_APART_MS)) {
      return false;
    }
    toldAt = now;
    return true;
  }
}
