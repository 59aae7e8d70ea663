package io.tidemark.flink.model.completeness;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What the job may say about its rows, and when. A statement is made at a checkpoint and said once
 * the checkpoint is complete: what is written then becomes visible with a later checkpoint, after
 * the rows.
 */
public final class CommittedProgress {

  /** A statement must fit one record; while more tenants lag than that, nothing is stated. */
  static final int MAX_LAGGING = 5_000;

  private final TenantProgress stated = new TenantProgress();
  private final NavigableMap<Long, CompletenessStatement> unsaid = new TreeMap<>();

  /**
   * @param watermark event time up to which all rows were written before the checkpoint's barrier,
   *     inclusive; {@link Long#MIN_VALUE} says nothing
   */
  public void checkpoint(long checkpoint, long watermark, long now, List<TenantLag> lagging) {
    if (watermark != Long.MIN_VALUE && lagging.size() <= MAX_LAGGING) {
      CompletenessStatement statement = new CompletenessStatement(watermark + 1, now, lagging);
      stated.apply(statement);
      unsaid.put(checkpoint, statement);
    }
  }

  /** What to say now that a checkpoint is complete, in order. */
  public List<CompletenessStatement> completed(long checkpoint) {
    NavigableMap<Long, CompletenessStatement> due = unsaid.headMap(checkpoint, true);
    List<CompletenessStatement> statements = new ArrayList<>(due.values());
    due.clear();
    return statements;
  }

  /**
   * Whether rows that are written now change a window that was stated, or is about to be stated, as
   * complete.
   */
  public boolean isRevision(LateRows rows) {
    return rows.level().lastInstantOf(rows.window()) < stated.completeUntil(rows.organizationId());
  }

  /** Everything stated so far as one statement; what a restarted job begins with. */
  public CompletenessStatement summary(long now) {
    return new CompletenessStatement(stated.completeUntil(), now, stated.behind());
  }

  /** Begins with what was stated before a restart. */
  public void restore(CompletenessStatement summary) {
    stated.apply(summary);
  }
}
