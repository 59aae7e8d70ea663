package io.tidemark.flink.lake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.removals.Removals;
import io.tidemark.flink.lake.operator.DataFileWriter;
import io.tidemark.flink.lake.operator.FileCommitter;
import io.tidemark.flink.lake.operator.PartitionFiles;
import io.tidemark.flink.lake.operator.Upkeep;
import io.tidemark.flink.lake.rows.PointRows;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.testing.TestBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both operators on a real catalog, with checkpoints and clock given by the test. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class TableUpkeepIT {

  private static final Duration KEPT = Duration.ofSeconds(1);
  private static final Upkeep UPKEEP =
      new Upkeep(Duration.ofMillis(10), 4, 10_000, KEPT, Duration.ofDays(7));

  @TempDir Path folder;
  private TestingLake lake;
  private long clock = System.currentTimeMillis();

  @BeforeEach
  void create() throws Exception {
    lake = TestingLake.in(folder.resolve("warehouse"));
  }

  @AfterEach
  void close() {
    lake.close();
  }

  @Test
  void manySmallCommitsBecomeFewFilesWithTheSameRows() throws Exception {
    List<String> written;
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      for (int checkpoint = 1; checkpoint <= 24; checkpoint++) {
        commit(committer, checkpoint, file(checkpoint));
      }
      written = rows();
      assertEquals(24, files().size());

      keepUntil(committer, () -> files().size() < 4);

      assertEquals(written, rows(), "the same rows");
      Snapshot merged = lake.table("raw_points").currentSnapshot();
      assertEquals("replace", merged.operation());
      assertEquals("24", merged.summary().get("tidemark.checkpoint"), "the mark is carried on");
      assertEquals(
          firstSnapshot().summary().get("tidemark.writer"),
          merged.summary().get("tidemark.writer"),
          "of the same writer");
      assertTrue(snapshots() > 3);
      clock += KEPT.toMillis() * 10;
      keepUntil(committer, () -> snapshots() <= 5);
      assertEquals(written, rows());
      state = committer.snapshot(25, clock);
      committer.notifyOfCompletedCheckpoint(25);
    }

    // The restarted committer still knows what is committed: nothing twice, nothing lost.
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.setRestoredCheckpointId(25L);
      committer.initializeState(state);
      committer.open();
      commit(committer, 26, file(26));
    }
    assertEquals(written.size() + 2, rows().size());
  }

  @Test
  void replacedFilesAreRemovedWithTheirSnapshots() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      for (int checkpoint = 1; checkpoint <= 8; checkpoint++) {
        commit(committer, checkpoint, file(checkpoint));
      }
      keepUntil(committer, () -> files().size() < 4);
      for (int checkpoint = 9; checkpoint <= 15; checkpoint++) {
        commit(committer, checkpoint, file(checkpoint));
      }
      clock += KEPT.toMillis() * 10;

      keepUntil(committer, () -> dataFiles().size() <= files().size() + 8);

      assertEquals(30, rows().size());
    }
  }

  @Test
  void oldOrphansGoAndYoungOnesStay() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      commit(committer, 1, file(1));
      Path young = dataFiles().get(0).resolveSibling("young.parquet");
      Path old = dataFiles().get(0).resolveSibling("old.parquet");
      Files.writeString(young, "left behind");
      Files.writeString(old, "left behind");
      Files.setLastModifiedTime(old, FileTime.fromMillis(clock - Duration.ofDays(8).toMillis()));

      keepUntil(committer, () -> !Files.exists(old));

      assertTrue(Files.exists(young));
      assertEquals(2, rows().size());
    }
  }

  @Test
  void mergedFilesAreFoundByFilters() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      for (int checkpoint = 1; checkpoint <= 6; checkpoint++) {
        commit(committer, checkpoint, file(checkpoint));
      }
      keepUntil(committer, () -> files().size() == 1);
    }
    FileScanTask merged = files().get(0);
    assertEquals(12, merged.file().recordCount());
    assertEquals(1, merged.file().sortOrderId());
    assertFalse(merged.file().lowerBounds().isEmpty());
  }

  @Test
  void aCommitWhoseAnswerWasLostIsNotRepeated() throws Exception {
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      committer.processElement(new StreamRecord<>(file(1)));
      state = committer.snapshot(1, clock);
      committer.notifyOfCompletedCheckpoint(1);
    }
    assertEquals(2, lake.rows("raw_points").size());

    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.setRestoredCheckpointId(1L);
      committer.initializeState(state);
      committer.open();
    }
    assertEquals(2, lake.rows("raw_points").size());
  }

  @Test
  void aRestoreOlderThanTheTableIsRefused() throws Exception {
    OperatorSubtaskState old;
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      old = committer.snapshot(1, clock);
      committer.notifyOfCompletedCheckpoint(1);
      commit(committer, 2, file(2));
    }

    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.setRestoredCheckpointId(1L);
      committer.initializeState(old);
      IllegalStateException refusal = assertThrows(IllegalStateException.class, committer::open);
      assertTrue(refusal.getMessage().contains("raw_points"), refusal.getMessage());
      assertTrue(refusal.getMessage().contains("docs/runbooks/lake.md"), refusal.getMessage());
    }
    assertEquals(2, lake.rows("raw_points").size());
  }

  @Test
  void aStartWithoutStateOnATableWithRowsIsRefused() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      commit(committer, 7, file(1));
    }

    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      IllegalStateException refusal = assertThrows(IllegalStateException.class, committer::open);
      for (String told : List.of("raw_points", "checkpoint 7", "docs/runbooks/lake.md")) {
        assertTrue(refusal.getMessage().contains(told), refusal.getMessage());
      }
    }
    assertEquals(2, lake.rows("raw_points").size());
  }

  /** A restored job that does not know the table yet: its operator is new, or was left out. */
  @Test
  void aRestoreWithoutTheStateOfTheTableIsRefused() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      commit(committer, 7, file(1));
    }

    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.setRestoredCheckpointId(9L);
      committer.initializeState(OperatorSubtaskState.builder().build());
      assertThrows(IllegalStateException.class, committer::open);
    }
  }

  /** A table that others made, or that never had rows, is no reason. */
  @Test
  void aStartWithoutStateOnAnEmptyTableIsTaken() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      committer.snapshot(1, clock);
      committer.notifyOfCompletedCheckpoint(1);
    }
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      commit(committer, 1, file(1));
    }
    assertEquals(2, lake.rows("raw_points").size());
  }

  /** A condition that asks the catalog. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private void keepUntil(
      OneInputStreamOperatorTestHarness<String, Void> committer, Condition condition)
      throws Exception {
    while (!condition.holds()) {
      clock += UPKEEP.interval().toMillis();
      committer.setProcessingTime(clock);
      Thread.onSpinWait();
    }
  }

  private OneInputStreamOperatorTestHarness<String, Void> committer() throws Exception {
    OneInputStreamOperatorTestHarness<String, Void> committer =
        new OneInputStreamOperatorTestHarness<>(
            new FileCommitter(lake.source("raw_points"), UPKEEP, Removals.NONE));
    committer.setProcessingTime(clock);
    return committer;
  }

  private void commit(
      OneInputStreamOperatorTestHarness<String, Void> committer, long checkpoint, String file)
      throws Exception {
    committer.processElement(new StreamRecord<>(file));
    committer.snapshot(checkpoint, clock);
    committer.notifyOfCompletedCheckpoint(checkpoint);
  }

  /** A file with two points. */
  private String file(int number) throws Exception {
    DataFileWriter<AdmittedBatch> write =
        new DataFileWriter<>(
            lake.source("raw_points"),
            table ->
                new PointRows(
                    table.schema(),
                    PointTimeLimits.DEFAULT,
                    PartitionFiles.tenantBuckets(table),
                    1_000));
    try (OneInputStreamOperatorTestHarness<AdmittedBatch, String> writer =
        new OneInputStreamOperatorTestHarness<>(write)) {
      writer.open();
      writer.processElement(
          new StreamRecord<>(
              WrittenRows.admitted(
                  new TestBatch()
                      .gauge("cpu", "12:00:00", (double) number)
                      .delta("requests", "12:00:01", (double) number)
                      .received("org-a", number, "12:00:02"))));
      writer.prepareSnapshotPreBarrier(number);
      return writer.extractOutputValues().get(0);
    }
  }

  private List<String> rows() throws Exception {
    TreeSet<String> rows = new TreeSet<>();
    List<Record> read = lake.rows("raw_points");
    read.forEach(row -> rows.add(row.toString()));
    assertEquals(read.size(), rows.size(), "no row twice");
    return new ArrayList<>(rows);
  }

  private List<FileScanTask> files() throws Exception {
    List<FileScanTask> files = new ArrayList<>();
    Table table = lake.table("raw_points");
    try (CloseableIterable<FileScanTask> tasks = table.newScan().includeColumnStats().planFiles()) {
      tasks.forEach(files::add);
    }
    return files;
  }

  private Snapshot firstSnapshot() {
    return lake.table("raw_points").snapshots().iterator().next();
  }

  private int snapshots() {
    int count = 0;
    for (Snapshot ignored : lake.table("raw_points").snapshots()) {
      count++;
    }
    return count;
  }

  private List<Path> dataFiles() throws Exception {
    try (Stream<Path> paths = Files.walk(folder.resolve("warehouse"))) {
      return paths.filter(path -> path.toString().endsWith(".parquet")).toList();
    }
  }
}
