package io.tidemark.flink.lake.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * The mark that every snapshot of the committer carries: whose checkpoints it holds, and up to
 * which. Snapshots of maintenance carry it on, so the current snapshot always has it and expiring
 * old ones forgets nothing.
 */
final class CommittedCheckpoint {

  static final String WRITER = "tidemark.writer";
  static final String CHECKPOINT = "tidemark.checkpoint";

  static final long NONE = 0;

  private CommittedCheckpoint() {}

  /** The last checkpoint of this writer in the table's history, or {@link #NONE}. */
  static long of(Table table, String writer) {
    for (Snapshot snapshot : history(table)) {
      Map<String, String> summary = snapshot.summary();
      if (writer.equals(summary.get(WRITER))) {
        return Long.parseLong(summary.get(CHECKPOINT));
      }
    }
    return NONE;
  }

  /** Snapshot id and mark of the newest snapshot that any committer made; null if there is none. */
  static @Nullable String newest(Table table) {
    for (Snapshot snapshot : history(table)) {
      Map<String, String> summary = snapshot.summary();
      if (summary.containsKey(WRITER)) {
        return "checkpoint "
            + summary.get(CHECKPOINT)
            + " of writer "
            + summary.get(WRITER)
            + ", snapshot "
            + snapshot.snapshotId();
      }
    }
    return null;
  }

  /** From the current snapshot back, as far as snapshots are kept. */
  private static List<Snapshot> history(Table table) {
    List<Snapshot> history = new ArrayList<>();
    Snapshot snapshot = table.currentSnapshot();
    while (snapshot != null) {
      history.add(snapshot);
      Long parent = snapshot.parentId();
      snapshot = parent == null ? null : table.snapshot(parent);
    }
    return history;
  }

  static <T extends SnapshotUpdate<T>> T mark(T update, String writer, long checkpoint) {
    return update.set(WRITER, writer).set(CHECKPOINT, Long.toString(checkpoint));
  }
}
