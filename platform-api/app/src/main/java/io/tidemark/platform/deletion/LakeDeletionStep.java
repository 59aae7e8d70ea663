package io.tidemark.platform.deletion;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * State of a deletion in one table of the lake, as its committer reports it.
 *
 * @param rowsBySnapshot removed rows; a snapshot is told more than once, and counts once
 * @param heldUntil when files of earlier snapshots are deleted; null when nothing was removed
 * @param doneAt a look at this time found nothing; null before
 */
public record LakeDeletionStep(
    String table,
    Map<String, Long> rowsBySnapshot,
    @Nullable Instant heldUntil,
    @Nullable Instant doneAt) {

  public LakeDeletionStep {
    rowsBySnapshot = Map.copyOf(rowsBySnapshot);
  }

  static LakeDeletionStep begin(String table) {
    return new LakeDeletionStep(table, Map.of(), null, null);
  }

  public boolean isDone() {
    return doneAt != null;
  }

  /** Rows that all snapshots together removed. */
  public long rowsRemoved() {
    return rowsBySnapshot.values().stream().mapToLong(Long::longValue).sum();
  }

  LakeDeletionStep removed(long snapshot, long rows, Instant until) {
    Map<String, Long> more = new TreeMap<>(rowsBySnapshot);
    more.put(Long.toString(snapshot), rows);
    return new LakeDeletionStep(
        table, more, heldUntil == null || until.isAfter(heldUntil) ? until : heldUntil, doneAt);
  }

  /** Whatever a look said, there is another one to come. */
  LakeDeletionStep notDone() {
    return new LakeDeletionStep(table, rowsBySnapshot, heldUntil, null);
  }

  LakeDeletionStep nothingLeft(Instant lookedAt) {
    return new LakeDeletionStep(table, rowsBySnapshot, heldUntil, lookedAt);
  }
}
