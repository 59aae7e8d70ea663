package io.tidemark.flink.lake.operator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a table in shape: small files become larger ones, old snapshots and orphans go. Files are
 * read and written in a thread of its own; whatever changes the table is done by {@link #step},
 * which the committer calls between its commits. So upkeep and commits never race.
 */
final class TableUpkeep implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TableUpkeep.class);
  private static final int FEWEST_SNAPSHOTS = 5;
  private static final int ZSTD_LEVEL = 3;

  /** Old snapshots and orphans are looked for once in so many steps. */
  private static final int STEPS_PER_CLEANING = 10;

  /** Orphans are rare, and looking for them reads every manifest. */
  private static final int CLEANINGS_PER_SEARCH = 60;

  private final LakeTable.Opened own;
  private final Upkeep upkeep;
  private final MergeFiles merging;
  private final ExecutorService thread;
  private @Nullable Future<MergeFiles.@Nullable Merged> work;
  private long steps;
  private long cleanings;

  /** What a step did. */
  record Done(int filesReplaced, int snapshotsExpired) {}

  /**
   * @param own a connection that nobody else uses
   * @param prefix of the names of merged files; never used before
   */
  TableUpkeep(LakeTable.Opened own, Upkeep upkeep, String prefix, String threadName) {
    this.own = own;
    this.upkeep = upkeep;
    this.merging = new MergeFiles(own.table(), upkeep, prefix, ZSTD_LEVEL);
    this.thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread made = new Thread(task, threadName);
              made.setDaemon(true);
              return made;
            });
  }

  /**
   * Puts prepared work into the table and starts the next.
   *
   * @param table the committer's
   * @param now milliseconds since the Unix epoch
   * @throws RuntimeException if some of it failed; the table is as it was, or changed as intended
   */
  Done step(Table table, String writer, long checkpoint, long now) throws IOException {
    int replaced = 0;
    Future<MergeFiles.@Nullable Merged> finished = work;
    if (finished != null && finished.isDone()) {
      work = null;
      MergeFiles.Merged merged = resultOf(finished);
      if (merged != null) {
        replace(table, merged, writer, checkpoint);
        replaced = merged.replaced().size();
      }
    }
    int expired = 0;
    if (++steps % STEPS_PER_CLEANING == 0) {
      expired = expire(table, now);
      if (++cleanings % CLEANINGS_PER_SEARCH == 0) {
        table.refresh();
        int removed = Orphans.remove(table, now - upkeep.orphanAge().toMillis());
        if (removed > 0) {
          LOG.info("Removed {} orphans of {}", removed, table.name());
        }
      }
    }
    if (work == null) {
      work = thread.submit(merging::prepare);
    }
    return new Done(replaced, expired);
  }

  private static MergeFiles.@Nullable Merged resultOf(Future<MergeFiles.@Nullable Merged> finished)
      throws IOException {
    try {
      return finished.get();
    } catch (ExecutionException e) {
      throw new IOException("Merging small files failed; the table is as it was", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  private static void replace(
      Table table, MergeFiles.Merged merged, String writer, long checkpoint) {
    table.refresh();
    Snapshot found = table.snapshot(merged.snapshot());
    if (found == null) {
      throw new IllegalStateException(
          "The snapshot whose files were merged is gone: "
              + table.name()
              + " was rolled back or expired by somebody else");
    }
    RewriteFiles rewrite =
        table
            .newRewrite()
            .validateFromSnapshot(found.snapshotId())
            .dataSequenceNumber(found.sequenceNumber());
    merged.replaced().forEach(rewrite::deleteFile);
    merged.added().forEach(rewrite::addFile);
    CommittedCheckpoint.mark(rewrite, writer, checkpoint).commit();
  }

  private int expire(Table table, long now) {
    table.refresh();
    long before = now - upkeep.keepSnapshots().toMillis();
    List<Snapshot> old = new ArrayList<>();
    table
        .snapshots()
        .forEach(
            snapshot -> {
              if (snapshot.timestampMillis() < before) {
                old.add(snapshot);
              }
            });
    if (old.isEmpty()) {
      return 0;
    }
    // The current snapshot always stays, and with it the mark of the last checkpoint.
    table.expireSnapshots().expireOlderThan(before).retainLast(FEWEST_SNAPSHOTS).commit();
    return old.size();
  }

  /** Gives up what was not put into the table. */
  @Override
  public void close() throws Exception {
    thread.shutdownNow();
    Future<MergeFiles.@Nullable Merged> given = work;
    work = null;
    if (given != null && given.isDone() && !given.isCancelled()) {
      MergeFiles.Merged merged = resultOf(given);
      if (merged != null) {
        for (DataFile file : merged.added()) {
          own.table().io().deleteFile(file.location());
        }
      }
    }
    own.close();
  }
}
