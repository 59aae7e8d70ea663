package io.tidemark.flink.lake.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * The mark that every snapshot of the committer carries: whose checkpoints it holds, up to which,
 * and how far it holds the topic. Snapshots of maintenance carry it on, so the current snapshot
 * always has it and expiring old ones forgets nothing.
 *
 * @param writer names the history of checkpoints
 * @param checkpoint the last one, or {@link #NONE}
 * @param offsets of the topic; empty for a table that does not say them
 */
record CommittedCheckpoint(String writer, long checkpoint, TopicOffsets offsets) {

  static final String WRITER = "tidemark.writer";
  static final String CHECKPOINT = "tidemark.checkpoint";
  static final String OFFSETS = "tidemark.topic-offsets";

  static final long NONE = 0;

  /** The last checkpoint of this writer in the table's history. */
  static CommittedCheckpoint of(Table table, String writer) {
    for (Snapshot snapshot : history(table)) {
      Map<String, String> summary = snapshot.summary();
      if (writer.equals(summary.get(WRITER))) {
        return new CommittedCheckpoint(
            writer, Long.parseLong(summary.get(CHECKPOINT)), offsets(summary));
      }
    }
    return new CommittedCheckpoint(writer, NONE, TopicOffsets.NONE);
  }

  /** What the newest snapshot that any committer made says of the topic. */
  static TopicOffsets offsets(Table table) {
    for (Snapshot snapshot : history(table)) {
      if (snapshot.summary().containsKey(WRITER)) {
        return offsets(snapshot.summary());
      }
    }
    return TopicOffsets.NONE;
  }

  private static TopicOffsets offsets(Map<String, String> summary) {
    String said = summary.get(OFFSETS);
    return said == null ? TopicOffsets.NONE : TopicOffsets.parse(said);
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

  <T extends SnapshotUpdate<T>> T mark(T update) {
    update.set(WRITER, writer).set(CHECKPOINT, Long.toString(checkpoint));
    return offsets.isEmpty() ? update : update.set(OFFSETS, offsets.toJson());
  }
}
