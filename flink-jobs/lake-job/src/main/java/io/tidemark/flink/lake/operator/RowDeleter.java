package io.tidemark.flink.lake.operator;

import io.tidemark.contracts.pipeline.v1.NothingLeft;
import io.tidemark.contracts.pipeline.v1.RemovalReport;
import io.tidemark.contracts.pipeline.v1.RemovedRows;
import io.tidemark.flink.io.removals.RemovalOrder;
import io.tidemark.flink.io.removals.Removals;
import io.tidemark.flink.lake.parquet.SortedFileReader;
import io.tidemark.flink.lake.rows.LakeSeries;
import io.tidemark.flink.lake.rows.MergedRows;
import io.tidemark.flink.lake.rows.MergedRows.LeftOut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes files again without the rows that were ordered to be removed. Like {@link FileMerger} it
 * prepares, and the committer puts the result into the table. The snapshot that does so says for
 * each order how many rows it removed ({@link #MARK}), and is what reports are made from: one whose
 * sending failed, or that a crash came before, is made again.
 */
final class RowDeleter {

  /** Before the key of an order in the summary of a snapshot; the value is the number of rows. */
  static final String MARK = "tidemark.removed.";

  private static final Logger LOG = LoggerFactory.getLogger(RowDeleter.class);

  /** An order that cannot be finished yet is looked at again after this time. */
  private static final long LOOK_AGAIN_MS = TimeUnit.MINUTES.toMillis(10);

  private static final long MICROS_PER_MILLI = 1_000L;

  private final Table table;
  private final String name;
  private final Upkeep upkeep;
  private final String prefix;
  private final int zstdLevel;
  private final Removals.Opened removals;
  private final Map<String, Long> nextLook = new HashMap<>();
  private final Set<String> finished = new HashSet<>();
  private final Set<Long> told = ConcurrentHashMap.newKeySet();
  private long rounds;

  /**
   * Prepared work.
   *
   * @param snapshot in which the replaced files were found
   * @param rows removed for each order, by its key
   */
  record Removed(
      long snapshot, List<DataFile> replaced, List<DataFile> added, Map<String, Long> rows) {}

  /**
   * @param table of a connection of its own
   * @param name of the table, without its namespace
   * @param prefix of the files' names; never used before
   */
  RowDeleter(
      Table table,
      String name,
      Upkeep upkeep,
      String prefix,
      int zstdLevel,
      Removals.Opened removals) {
    this.table = table;
    this.name = name;
    this.upkeep = upkeep;
    this.prefix = prefix;
    this.zstdLevel = zstdLevel;
    this.removals = removals;
  }

  /** Whether all that the snapshots say of removals has been told; may be asked by any thread. */
  boolean hasToldOf(Snapshot snapshot) {
    return !isRemoval(snapshot) || told.contains(snapshot.snapshotId());
  }

  /** Whether the snapshot removed rows that were ordered to be. */
  static boolean isRemoval(Snapshot snapshot) {
    return snapshot.summary().keySet().stream().anyMatch(key -> key.startsWith(MARK));
  }

  /**
   * Null when there is nothing to put into the table.
   *
   * @param now milliseconds since the Unix epoch
   */
  @Nullable Removed prepare(long now) throws IOException {
    table.refresh();
    tellOfSnapshots();
    List<RemovalOrder> orders = removals.current();
    Set<String> keys = new HashSet<>();
    orders.forEach(order -> keys.add(version(order)));
    finished.retainAll(keys);
    nextLook.keySet().retainAll(keys);
    List<RemovalOrder> due =
        orders.stream()
            .filter(order -> !finished.contains(version(order)))
            .filter(order -> nextLook.getOrDefault(version(order), 0L) <= now)
            .toList();
    if (due.isEmpty()) {
      return null;
    }
    // Asked before the look: what was read by then is in the table, or was never sent.
    Map<Long, Boolean> read = new HashMap<>();
    List<RemovalOrder> settled =
        due.stream()
            .filter(order -> order.settledFromMs() <= now)
            .filter(order -> read.computeIfAbsent(order.settledFromMs(), removals::hasReadUpTo))
            .toList();
    PartitionFiles output = new PartitionFiles(table, prefix + "-" + rounds++, zstdLevel);
    boolean done = false;
    try {
      Look look = new Look(table.currentSnapshot(), output);
      for (RemovalOrder order : due) {
        boolean nothingLeft = look.at(order);
        if (nothingLeft && settled.contains(order)) {
          tellNothingLeft(order, now);
        } else if (nothingLeft) {
          long settling = order.settledFromMs() <= now ? now : order.settledFromMs();
          nextLook.put(version(order), Math.min(settling, now + LOOK_AGAIN_MS));
        }
      }
      Removed removed = look.result();
      done = true;
      return removed;
    } finally {
      if (!done) {
        output.abandon();
      }
    }
  }

  private static String version(RemovalOrder order) {
    return order.key() + "@" + order.version();
  }

  /** Every snapshot that removed rows is told once in the life of this object. */
  private void tellOfSnapshots() {
    for (Snapshot snapshot : table.snapshots()) {
      if (hasToldOf(snapshot)) {
        continue;
      }
      List<RemovalReport> reports = new ArrayList<>();
      snapshot
          .summary()
          .forEach(
              (key, rows) -> {
                if (key.startsWith(MARK)) {
                  String[] parts = key.substring(MARK.length()).split("/", 3);
                  reports.add(
                      report(parts[0], parts[1], parts[2])
                          .setRemoved(
                              RemovedRows.newBuilder()
                                  .setSnapshotId(snapshot.snapshotId())
                                  .setRows(Long.parseLong(rows))
                                  .setCommittedAtUnixMs(snapshot.timestampMillis())
                                  .setHeldUntilUnixMs(
                                      snapshot.timestampMillis()
                                          + upkeep.keepSnapshots().toMillis()))
                          .build());
                }
              });
      removals.tell(reports);
      told.add(snapshot.snapshotId());
    }
  }

  private void tellNothingLeft(RemovalOrder order, long now) {
    removals.tell(
        List.of(
            report(order.organizationId(), order.environmentId(), order.removalId())
                .setNothingLeft(NothingLeft.newBuilder().setLookedAtUnixMs(now))
                .build()));
    finished.add(version(order));
  }

  private RemovalReport.Builder report(String organization, String environment, String removal) {
    return RemovalReport.newBuilder()
        .setOrganizationId(organization)
        .setEnvironmentId(environment)
        .setRemovalId(removal)
        .setTable(name);
  }

  /** One pass over the files of a snapshot; every file is written again at most once in it. */
  private final class Look {
    private final @Nullable Snapshot snapshot;
    private final PartitionFiles output;
    private final List<DataFile> replaced = new ArrayList<>();
    private final Set<String> touched = new HashSet<>();
    private final Map<String, Long> rows = new LinkedHashMap<>();
    private long planned;

    Look(@Nullable Snapshot snapshot, PartitionFiles output) {
      this.snapshot = snapshot;
      this.output = output;
    }

    /** Whether the whole snapshot was looked at and holds no row that is to go. */
    boolean at(RemovalOrder order) throws IOException {
      List<RemovalOrder.Rule> rules =
          order.rules().stream().filter(rule -> rule.isAbout(name)).toList();
      if (snapshot == null || rules.isEmpty()) {
        return true;
      }
      boolean nothingLeft = true;
      try (CloseableIterable<FileScanTask> tasks =
          table
              .newScan()
              .useSnapshot(snapshot.snapshotId())
              .filter(rowsOf(order, rules))
              .includeColumnStats()
              .planFiles()) {
        for (FileScanTask task : tasks) {
          boolean isFull = planned >= 16L * upkeep.maxRows();
          if (isFull || touched.contains(task.file().location())) {
            return false;
          }
          nothingLeft &= isWithout(task, order, rules);
        }
      }
      return nothingLeft;
    }

    /** Writes the file again if rows have to go; false also when it cannot be read. */
    private boolean isWithout(FileScanTask task, RemovalOrder order, List<RemovalOrder.Rule> rules)
        throws IOException {
      DataFile file = task.file();
      byte[] bytes;
      try (SeekableInputStream in = table.io().newInputFile(file.location()).newStream()) {
        bytes = in.readNBytes((int) file.fileSizeInBytes());
      }
      SortedFileReader reader = new SortedFileReader(table.schema(), bytes);
      boolean isOurs =
          task.deletes().isEmpty() && file.specId() == table.spec().specId() && reader.isReadable();
      if (!isOurs) {
        LOG.warn("Rows of {} cannot be removed: not of this job's writer", file.location());
        return false;
      }
      LeftOut leftOut = leftOut(order, rules);
      long gone = 0;
      for (int group = 0; group < reader.rowGroups(); group++) {
        MergedRows merged = new MergedRows(table.schema(), PartitionFiles.tenantBuckets(table));
        merged.add(reader, group);
        gone += merged.leftOut(leftOut);
      }
      if (gone == 0) {
        return true;
      }
      long kept = 0;
      for (int group = 0; group < reader.rowGroups(); group++) {
        MergedRows merged = new MergedRows(table.schema(), PartitionFiles.tenantBuckets(table));
        merged.add(reader, group);
        kept += merged.drain(leftOut, output::write);
      }
      output.finishAll();
      if (kept + gone != file.recordCount()) {
        throw new IllegalStateException(
            file.location() + " has " + file.recordCount() + " rows, read " + (kept + gone));
      }
      touched.add(file.location());
      replaced.add(file);
      planned += file.recordCount();
      rows.merge(order.key(), gone, Long::sum);
      return false;
    }

    @Nullable Removed result() {
      List<DataFile> added = output.take();
      if (replaced.isEmpty() || snapshot == null) {
        return null;
      }
      long before = replaced.stream().mapToLong(DataFile::recordCount).sum();
      long after = added.stream().mapToLong(DataFile::recordCount).sum();
      long gone = rows.values().stream().mapToLong(Long::longValue).sum();
      if (before - gone != after) {
        added.forEach(file -> table.io().deleteFile(file.location()));
        throw new IllegalStateException(
            "Of " + before + " rows " + gone + " were to go, but " + after + " are left");
      }
      return new Removed(snapshot.snapshotId(), replaced, added, rows);
    }
  }

  private static LeftOut leftOut(RemovalOrder order, List<RemovalOrder.Rule> rules) {
    return series -> {
      if (!isOf(order, series)) {
        return LeftOut.NONE;
      }
      long before = LeftOut.NONE;
      for (RemovalOrder.Rule rule : rules) {
        if (rule.fits(series.metric(), series.seriesId())) {
          before =
              rule.beforeMs() == 0
                  ? LeftOut.ALL
                  : Math.max(before, rule.beforeMs() * MICROS_PER_MILLI);
        }
        if (before == LeftOut.ALL) {
          break;
        }
      }
      return before;
    };
  }

  private static boolean isOf(RemovalOrder order, LakeSeries series) {
    return series.organizationId().equals(order.organizationId())
        && series.environmentId().equals(order.environmentId());
  }

  /** What files are planned with: holds for every row that is to go, and for some others. */
  private static Expression rowsOf(RemovalOrder order, List<RemovalOrder.Rule> rules) {
    Expression any = Expressions.alwaysFalse();
    for (RemovalOrder.Rule rule : rules) {
      Expression all = Expressions.alwaysTrue();
      String pattern = rule.pattern();
      if (pattern.endsWith("*")) {
        all =
            Expressions.and(
                all, Expressions.startsWith("metric", pattern.substring(0, pattern.length() - 1)));
      } else if (!pattern.isEmpty()) {
        all = Expressions.and(all, Expressions.equal("metric", pattern));
      }
      if (!rule.seriesId().isEmpty()) {
        all = Expressions.and(all, Expressions.equal("series_id", rule.seriesId()));
      }
      if (rule.beforeMs() != 0) {
        all =
            Expressions.and(
                all, Expressions.lessThan("event_time", rule.beforeMs() * MICROS_PER_MILLI));
      }
      any = Expressions.or(any, all);
    }
    return Expressions.and(
        Expressions.equal("organization_id", order.organizationId()),
        Expressions.equal("environment_id", order.environmentId()),
        any);
  }
}
