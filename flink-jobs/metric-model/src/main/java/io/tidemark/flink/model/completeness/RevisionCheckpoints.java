package io.tidemark.flink.model.completeness;

import java.util.TreeSet;

/**
 * Tells when a checkpoint has committed rows of minutes that were stated before: whoever decided
 * them waits for the next statement. Not again within {@value #MIN_APART_MS} ms of the clock, so
 * that a tenant whose rows are late all the time costs one checkpoint more for each periodic one.
 */
public final class RevisionCheckpoints {

  static final long MIN_APART_MS = 4_000L;

  private final TreeSet<Long> revising = new TreeSet<>();
  private boolean isRevised;
  private long toldAt = Long.MIN_VALUE;

  /** Rows of a stated minute were written. */
  public void revised() {
    isRevised = true;
  }

  /** A checkpoint commits what was written since the one before. */
  public void checkpoint(long checkpoint) {
    if (isRevised) {
      revising.add(checkpoint);
      isRevised = false;
    }
  }

  /**
   * Whether this checkpoint, or one that it stands for, has committed such rows.
   *
   * @param now the clock, in Unix milliseconds
   */
  public boolean isCommitted(long checkpoint, long now) {
    boolean isAny = !revising.headSet(checkpoint, true).isEmpty();
    revising.headSet(checkpoint, true).clear();
    if (!isAny || (toldAt != Long.MIN_VALUE && now - toldAt < MIN_APART_MS)) {
      return false;
    }
    toldAt = now;
    return true;
  }
}
