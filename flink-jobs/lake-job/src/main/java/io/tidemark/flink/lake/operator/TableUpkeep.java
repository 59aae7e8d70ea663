package io.tidemark.flink.lake.operator;

import io.tidemark.flink.io.removals.Removals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a table in shape: small files become larger ones, rows go that were ordered to be removed,
 * old snapshots and orphans go. Files are read and written in a thread of its own; whatever changes
 * the table is done by {@link #step}, which the committer calls between its commits. So upkeep and
 * commits never race.
 */
final class TableUpkeep implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TableUpkeep.class);
  private static final int ZSTD_LEVEL = 3;
  private static final long CLOSING_SECONDS = 10;

  /** Old snapshots and orphans are looked for once in so many steps. */
  private static final int STEPS_PER_CLEANING = 10;

  /** Orphans are rare, and looking for them reads every manifest. */
  private static final int CLEANINGS_PER_SEARCH = 60;

  private final LakeTable.Opened own;
  private final Upkeep upkeep;
  private final FileMerger merging;
  private final Removals.Opened removals;
  private final RowDeleter removing;
  private final ExecutorService thread;
  private @Nullable Future<Prepared> work;
  private long rounds;
  private long steps;
  private long cleanings;

  /** What a step did. */
  record Done(int filesReplaced, long rowsRemoved, int snapshotsExpired) {}

  /** At most one of the two. */
  private record Prepared(
      FileMerger.@Nullable Merged merged, RowDeleter.@Nullable Removed removed) {

    List<DataFile> added() {
      if (removed != null) {
        return removed.added();
      }
      return merged == null ? List.of() : merged.added();
    }
  }

  /**
   * @param own a connection that nobody else uses
   * @param prefix of the names of merged files; never used before
   * @param tableName without its namespace
   */
  TableUpkeep(
      LakeTable.Opened own,
      Upkeep upkeep,
      String prefix,
      String threadName,
      String tableName,
      Removals.Opened removals) {
    this.own = own;
    this.upkeep = upkeep;
    this.merging = new FileMerger(own.table(), upkeep, prefix, ZSTD_LEVEL);
    this.removals = removals;
    this.removing =
        new RowDeleter(own.table(), tableName, upkeep, prefix + "-less", ZSTD_LEVEL, removals);
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
   * @param committed what the table holds; snapshots made here carry it on
   * @param now milliseconds since the Unix epoch
   * @throws RuntimeException if some of it failed; the table is as it was, or changed as intended
   */
  Done step(Table table, CommittedCheckpoint committed, long now) throws IOException {
    int replaced = 0;
    long removed = 0;
    Future<Prepared> finished = work;
    if (finished != null && finished.isDone()) {
      work = null;
      Prepared prepared = resultOf(finished);
      if (prepared.merged() != null) {
        replace(table, prepared.merged(), committed);
        replaced = prepared.merged().replaced().size();
      }
      if (prepared.removed() != null) {
        remove(table, prepared.removed(), committed);
        removed = prepared.removed().rows().values().stream().mapToLong(Long::longValue).sum();
      }
    }
    int expired = 0;
    if (++steps % STEPS_PER_CLEANING == 0) {
      expired = expire(table, now);
      if (++cleanings % CLEANINGS_PER_SEARCH == 0) {
        table.refresh();
        int orphans = Orphans.remove(table, now, upkeep.orphanAge());
        if (orphans > 0) {
          LOG.info("Removed {} orphans of {}", orphans, table.name());
        }
      }
    }
    if (work == null) {
      boolean areRemovalsFirst = ++rounds % 2 == 0;
      work = thread.submit(() -> prepare(areRemovalsFirst, now));
    }
    return new Done(replaced, removed, expired);
  }

  /** Removals and merging take turns in being first; the other is done when there is nothing. */
  private Prepared prepare(boolean areRemovalsFirst, long now) throws IOException {
    if (areRemovalsFirst) {
      RowDeleter.Removed removed = removing.prepare(now);
      return removed == null ? new Prepared(merging.prepare(), null) : new Prepared(null, removed);
    }
    FileMerger.Merged merged = merging.prepare();
    return merged == null ? new Prepared(null, removing.prepare(now)) : new Prepared(merged, null);
  }

  private static Prepared resultOf(Future<Prepared> finished) throws IOException {
    try {
      return finished.get();
    } catch (ExecutionException e) {
      throw new IOException("Preparing upkeep failed; the table is as it was", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  private static void remove(
      Table table, RowDeleter.Removed removed, CommittedCheckpoint committed) {
    Snapshot found = foundIn(table, removed.snapshot());
    OverwriteFiles overwrite = table.newOverwrite().validateFromSnapshot(found.snapshotId());
    removed.replaced().forEach(overwrite::deleteFile);
    removed.added().forEach(overwrite::addFile);
    removed
        .rows()
        .forEach((order, rows) -> overwrite.set(RowDeleter.MARK + order, Long.toString(rows)));
    committed.mark(overwrite).commit();
  }

  private static Snapshot foundIn(Table table, long snapshot) {
    table.refresh();
    Snapshot found = table.snapshot(snapshot);
    if (found == null) {
      throw new IllegalStateException(
          "The snapshot whose files were replaced is gone: "
              + table.name()
              + " was rolled back or expired by somebody else");
    }
    return found;
  }

  private static void replace(
      Table table, FileMerger.Merged merged, CommittedCheckpoint committed) {
    Snapshot found = foundIn(table, merged.snapshot());
    RewriteFiles rewrite =
        table
            .newRewrite()
            .validateFromSnapshot(found.snapshotId())
            .dataSequenceNumber(found.sequenceNumber());
    merged.replaced().forEach(rewrite::deleteFile);
    merged.added().forEach(rewrite::addFile);
    committed.mark(rewrite).commit();
  }

  private int expire(Table table, long now) {
    table.refresh();
    long before = now - upkeep.keepSnapshots().toMillis();
    List<Snapshot> old = new ArrayList<>();
    boolean hasRemovals = false;
    for (Snapshot snapshot : table.snapshots()) {
      if (!removing.hasToldOf(snapshot)) {
        // What it removed is known from it alone.
        return 0;
      }
      hasRemovals |= RowDeleter.isRemoval(snapshot);
      // The current snapshot always stays, and with it the mark of the last checkpoint.
      if (snapshot.timestampMillis() < before
          && !snapshot.equals(table.currentSnapshot())
          && table.refs().values().stream()
              .noneMatch(r -> r.snapshotId() == snapshot.snapshotId())) {
        old.add(snapshot);
      }
    }
    if (old.isEmpty()) {
      return 0;
    }
    ExpireSnapshots expire = table.expireSnapshots();
    if (hasRemovals) {
      // Named ones: Iceberg then deletes every file that no kept snapshot has. Without names it is
      // faster, but files that the current snapshot removed stay until it is expired itself, which
      // in a table that nobody writes to is never.
      old.forEach(snapshot -> expire.expireSnapshotId(snapshot.snapshotId()));
    } else {
      expire.expireOlderThan(before).retainLast(1);
    }
    expire.commit();
    return old.size();
  }

  /** Gives up what was not put into the table. */
  @Override
  public void close() throws Exception {
    thread.shutdownNow();
    Future<Prepared> given = work;
    work = null;
    if (given != null && given.isDone() && !given.isCancelled()) {
      try {
        for (DataFile file : resultOf(given).added()) {
          own.table().io().deleteFile(file.location());
        }
      } catch (IOException failed) {
        LOG.warn("The last upkeep of {} failed, and leaves nothing", own.table().name(), failed);
      }
    }
    if (thread.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
      removals.close();
    }
    own.close();
  }
}
