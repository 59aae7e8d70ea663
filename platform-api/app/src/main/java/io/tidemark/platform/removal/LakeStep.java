package io.tidemark.platform.removal;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table of the lake, as its committer told.
 *
 * @param rowsBySnapshot removed rows; a snapshot is told more than once, and counts once
 * @param heldUntil when files of earlier snapshots are deleted; null when nothing was removed
 * @param doneAt a look at this time found nothing; null before
 */
public record LakeStep(
    String table, Map<String, Long> rowsBySnapshot, Instant heldUntil, Instant doneAt) {

  public LakeStep {
    rowsBySnapshot = Map.copyOf(rowsBySnapshot);
  }

  static LakeStep begin(String table) {
    return new LakeStep(table, Map.of(), null, null);
  }

  public boolean isDone() {
    return doneAt != null;
  }

  /** Rows that all snapshots together removed. */
  public long rowsRemoved() {
    return rowsBySnapshot.values().stream().mapToLong(Long::longValue).sum();
  }

  LakeStep removed(long snapshot, long rows, Instant until) {
    Map<String, Long> more = new TreeMap<>(rowsBySnapshot);
    more.put(Long.toString(snapshot), rows);
    return new LakeStep(
        table, more, heldUntil == null || until.isAfter(heldUntil) ? until : heldUntil, doneAt);
  }

  LakeStep nothingLeft(Instant lookedAt) {
    return new LakeStep(table, rowsBySnapshot, heldUntil, lookedAt);
  }
}
