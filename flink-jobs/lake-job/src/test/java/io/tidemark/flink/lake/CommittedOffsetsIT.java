package io.tidemark.flink.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.removals.Removals;
import io.tidemark.flink.io.rows.RollupRecord;
import io.tidemark.flink.lake.operator.DataFileWriter;
import io.tidemark.flink.lake.operator.FileCommitter;
import io.tidemark.flink.lake.operator.PartitionFiles;
import io.tidemark.flink.lake.operator.TopicOffsets;
import io.tidemark.flink.lake.operator.Upkeep;
import io.tidemark.flink.lake.rows.RollupRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rollup table says how far it holds its topic, in the snapshot that does so. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CommittedOffsetsIT {

  private static final String TABLE = "rollup_1m";
  private static final long MIDNIGHT = 1767225600000L;

  /** Nothing can be read of it. */
  private static final String NO_ROW = "{}";

  @TempDir Path folder;
  private TestingLake lake;
  private OneInputStreamOperatorTestHarness<RollupRecord, String> writer;
  private long clock = System.currentTimeMillis();
  private int rows;

  @BeforeEach
  void create() throws Exception {
    lake = TestingLake.in(folder.resolve("warehouse"));
    writer =
        new OneInputStreamOperatorTestHarness<>(
            new DataFileWriter<>(
                lake.source(TABLE),
                table ->
                    new RollupRows(table.schema(), PartitionFiles.tenantBuckets(table), 1_000)));
    writer.open();
  }

  @AfterEach
  void close() throws Exception {
    writer.close();
    lake.close();
  }

  @Test
  void theWriterSendsAfterItsFilesHowFarItReadSinceTheLastBarrier() throws Exception {
    List<String> sent = written(record(0, 40), record(1, 7), record(0, 41));
    assertEquals(2, sent.size(), sent.toString());
    assertTrue(sent.get(0).startsWith("{"), sent.get(0));
    assertEquals("topic-offsets {\"0\":42,\"1\":8}", sent.get(1));
    assertEquals(List.of(), written());
    assertEquals("topic-offsets {\"1\":10}", written(record(1, 9)).get(1));
  }

  @Test
  void filesAndOffsetsAreInOneSnapshot() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer(1_000)) {
      committer.open();
      send(committer, written(record(0, 41)));
      committer.snapshot(1, clock);
      assertEquals(Map.of(), offsets());
      committer.notifyOfCompletedCheckpoint(1);
      assertEquals(Map.of(0, 42L), offsets());
      assertEquals(1, snapshots());

      commit(committer, 2, written(record(1, 7)));
      assertEquals(Map.of(0, 42L, 1, 8L), offsets());
      assertEquals(2, snapshots());
      Table table = lake.table(TABLE);
      long first = table.snapshots().iterator().next().snapshotId();
      table.manageSnapshots().rollbackTo(first).commit();
      assertEquals(Map.of(0, 42L), offsets(), "as the rows");
    }
  }

  /** A committer whose clock was ahead made it; Iceberg refuses any that is older. */
  @Test
  void filesWaitWhileTheNewestSnapshotIsFromTheFuture() throws Exception {
    OperatorSubtaskState state = stateAfterOneFile();
    moveNewestSnapshot(Duration.ofMinutes(6));
    try (OneInputStreamOperatorTestHarness<String, Void> committer = restored(2, state, 1_000)) {
      commit(committer, 3, written(record(0, 2)));
      commit(committer, 4, written(record(1, 5)));
      assertEquals(1, snapshots());
      state = committer.snapshot(5, clock);
      committer.notifyOfCompletedCheckpoint(5);
    }
    moveNewestSnapshot(Duration.ofMinutes(-6));
    try (OneInputStreamOperatorTestHarness<String, Void> committer = restored(5, state, 1_000)) {
      assertEquals(Map.of(0, 3L, 1, 6L), offsets());
      assertEquals(2, snapshots(), "what waited is in one");
      commit(committer, 6, written(record(2, 9)));
      assertEquals(Map.of(0, 3L, 1, 6L, 2, 10L), offsets());
    }
    assertEquals(4, lake.rows(TABLE).size());
  }

  /** As an upkeep that removed old snapshots makes one. */
  @Test
  void filesWaitForAChangeFromTheFutureThatMadeNoSnapshot() throws Exception {
    OperatorSubtaskState state = stateAfterOneFile();
    change(
        (metadata, json) -> {
          String changed = "\"last-updated-ms\":";
          long time = metadata.lastUpdatedMillis();
          return json.replace(changed + time, changed + (time + 360_000));
        });
    try (OneInputStreamOperatorTestHarness<String, Void> committer = restored(2, state, 1_000)) {
      commit(committer, 3, written(record(0, 2)));
      assertEquals(1, snapshots());
    }
  }

  /** Of checkpoint 2, when the file of checkpoint 1 is committed. */
  private OperatorSubtaskState stateAfterOneFile() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer(1_000)) {
      committer.open();
      commit(committer, 1, written(record(0, 1)));
      OperatorSubtaskState state = committer.snapshot(2, clock);
      committer.notifyOfCompletedCheckpoint(2);
      return state;
    }
  }

  /** Adds to the times of the newest snapshot, of its entry in the history and of the table. */
  private void moveNewestSnapshot(Duration by) {
    change(
        (metadata, json) -> {
          long made = metadata.currentSnapshot().timestampMillis();
          String moved = json.replace(":" + made, ":" + (made + by.toMillis()));
          long changed = metadata.lastUpdatedMillis();
          return made == changed
              ? moved
              : moved.replace(":" + changed, ":" + (changed + by.toMillis()));
        });
  }

  private void change(BiFunction<TableMetadata, String, String> edit) {
    TableOperations operations = ((BaseTable) lake.table(TABLE)).operations();
    TableMetadata metadata = operations.current();
    String json = TableMetadataParser.toJson(metadata);
    String changed = edit.apply(metadata, json);
    assertNotEquals(json, changed);
    operations.commit(metadata, TableMetadataParser.fromJson(changed));
  }

  /** Only records of which nothing can be read have no file; they cost no snapshot. */
  @Test
  void offsetsWithoutFilesWaitForTheNextFile() throws Exception {
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer(1_000)) {
      committer.open();
      commit(committer, 1, written(record(0, 1)));
      commit(committer, 2, written(new RollupRecord(0, 2, NO_ROW.getBytes(UTF_8))));
      commit(committer, 3, written(new RollupRecord(1, 5, NO_ROW.getBytes(UTF_8))));
      assertEquals(Map.of(0, 2L), offsets());
      assertEquals(1, snapshots());
      state = committer.snapshot(4, clock);
      committer.notifyOfCompletedCheckpoint(4);
    }
    try (OneInputStreamOperatorTestHarness<String, Void> committer = restored(4, state, 1_000)) {
      commit(committer, 5, written(record(2, 9)));
      assertEquals(Map.of(0, 3L, 1, 6L, 2, 10L), offsets());
    }
  }

  @Test
  void aCommitWhoseAnswerWasLostKeepsItsOffsets() throws Exception {
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer(1_000)) {
      committer.open();
      commit(committer, 1, written(record(0, 41), record(1, 7)));
      send(committer, written(record(0, 50)));
      state = committer.snapshot(2, clock);
      committer.notifyOfCompletedCheckpoint(2);
    }
    assertEquals(Map.of(0, 51L, 1, 8L), offsets());
    try (OneInputStreamOperatorTestHarness<String, Void> committer = restored(2, state, 1_000)) {
      assertEquals(2, snapshots());
      commit(committer, 3, written(record(1, 9)));
      assertEquals(Map.of(0, 51L, 1, 10L), offsets());
    }
    assertEquals(4, lake.rows(TABLE).size());
  }

  @Test
  void aCommitThatNeverHappenedIsMadeUpForWithItsOffsets() throws Exception {
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer(1_000)) {
      committer.open();
      send(committer, written(record(0, 41)));
      state = committer.snapshot(1, clock);
    }
    assertEquals(Map.of(), offsets());
    try (OneInputStreamOperatorTestHarness<String, Void> committer = restored(1, state, 1_000)) {
      assertEquals(Map.of(0, 42L), offsets());
      assertEquals(1, lake.rows(TABLE).size());
    }
  }

  @Test
  void mergedFilesStayWithTheOffsetsOfTheirRows() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer(2)) {
      committer.open();
      for (int checkpoint = 1; checkpoint <= 4; checkpoint++) {
        commit(committer, checkpoint, written(record(0, checkpoint)));
      }
      while (!lake.table(TABLE).currentSnapshot().operation().equals("replace")) {
        clock += 10;
        committer.setProcessingTime(clock);
        Thread.onSpinWait();
      }
      assertEquals(Map.of(0, 5L), offsets());
    }
  }

  /** Of a topic that it does not read, or that was made anew since. */
  @Test
  void whatAnotherWriterSaidIsNotCarriedOn() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer(1_000)) {
      committer.open();
      commit(committer, 1, written(record(0, 41)));
      OperatorSubtaskState state = committer.snapshot(2, clock);
      lake.table(TABLE)
          .newAppend()
          .set("tidemark.writer", "another")
          .set("tidemark.checkpoint", "9")
          .set("tidemark.topic-offsets", "{\"0\":1000,\"1\":1000}")
          .commit();
      assertEquals(Map.of(0, 1_000L, 1, 1_000L), offsets());
      try (OneInputStreamOperatorTestHarness<String, Void> next = restored(2, state, 1_000)) {
        commit(next, 3, written(record(2, 5)));
        assertEquals(Map.of(0, 42L, 2, 6L), offsets());
      }
    }
  }

  @Test
  void aSnapshotThatAnotherToolMadeHidesNothing() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer(1_000)) {
      committer.open();
      commit(committer, 1, written(record(0, 41)));
      lake.table(TABLE).newAppend().commit();
      assertEquals(2, snapshots());
      assertEquals(Map.of(0, 42L), offsets());
    }
  }

  /** A version that does not know offsets restores them, and this one what it leaves. */
  @Test
  void stateGoesToAVersionWithoutOffsetsAndBack() throws Exception {
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer(1_000)) {
      committer.open();
      send(committer, written(record(0, 41)));
      state = committer.snapshot(1, clock);
    }
    List<String> files;
    FilesOnly before = new FilesOnly();
    try (OneInputStreamOperatorTestHarness<String, Void> older =
        new OneInputStreamOperatorTestHarness<>(before)) {
      older.initializeState(state);
      older.open();
      files = before.files();
      state = older.snapshot(2, clock);
    }
    assertEquals(2, files.size(), "the writer, and a file");
    try (OneInputStreamOperatorTestHarness<String, Void> committer = restored(2, state, 1_000)) {
      assertEquals(1, lake.rows(TABLE).size());
      commit(committer, 3, written(record(1, 7)));
      assertEquals(8L, offsets().get(1));
    }
  }

  /** The committer's state as it was before offsets. */
  private static final class FilesOnly extends AbstractStreamOperator<Void>
      implements OneInputStreamOperator<String, Void> {
    private static final long serialVersionUID = 1L;
    private transient ListState<String> state;

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
      super.initializeState(context);
      state =
          context
              .getOperatorStateStore()
              .getListState(new ListStateDescriptor<>("pending-files", Types.STRING));
    }

    List<String> files() throws Exception {
      List<String> files = new ArrayList<>();
      state.get().forEach(files::add);
      return files;
    }

    @Override
    public void processElement(StreamRecord<String> element) {
      // Nothing is sent to it.
    }
  }

  private RollupRecord record(int partition, long offset) {
    int number = rows++;
    return new RollupRecord(
        partition,
        offset,
        """
        {"timestamp":%d,"organization_id":"org-a","environment_id":"e","metric":"m","metric_type":"gauge","unit":"1",\
        "resource_type":"service","resource_id":"s","series_id":"%032d","resource.service.id":"s","metric.n":"%d",\
        "sum":1.5,"count":1,"min":1.0,"max":1.0,"last":1.0,"last_timestamp":%d,"pane_id":"pane-%d"}"""
            .formatted(MIDNIGHT, number, number, MIDNIGHT, number)
            .getBytes(UTF_8));
  }

  /** What the writer sends ahead of a barrier. */
  private List<String> written(RollupRecord... records) throws Exception {
    writer.getOutput().clear();
    for (RollupRecord record : records) {
      writer.processElement(new StreamRecord<>(record));
    }
    writer.prepareSnapshotPreBarrier(1);
    return writer.extractOutputValues();
  }

  private OneInputStreamOperatorTestHarness<String, Void> committer(int fewestFiles)
      throws Exception {
    OneInputStreamOperatorTestHarness<String, Void> committer =
        new OneInputStreamOperatorTestHarness<>(
            new FileCommitter(
                lake.source(TABLE),
                new Upkeep(
                    Duration.ofMillis(10),
                    fewestFiles,
                    10_000,
                    Duration.ofDays(1),
                    Duration.ofDays(7)),
                Removals.NONE));
    committer.setProcessingTime(clock);
    return committer;
  }

  private OneInputStreamOperatorTestHarness<String, Void> restored(
      long checkpoint, OperatorSubtaskState state, int fewestFiles) throws Exception {
    OneInputStreamOperatorTestHarness<String, Void> committer = committer(fewestFiles);
    committer.setRestoredCheckpointId(checkpoint);
    committer.initializeState(state);
    committer.open();
    return committer;
  }

  private static void send(
      OneInputStreamOperatorTestHarness<String, Void> committer, List<String> elements)
      throws Exception {
    for (String element : elements) {
      committer.processElement(new StreamRecord<>(element));
    }
  }

  private void commit(
      OneInputStreamOperatorTestHarness<String, Void> committer,
      long checkpoint,
      List<String> elements)
      throws Exception {
    send(committer, elements);
    committer.snapshot(checkpoint, clock);
    committer.notifyOfCompletedCheckpoint(checkpoint);
  }

  private Map<Integer, Long> offsets() {
    return TopicOffsets.of(lake.table(TABLE)).next();
  }

  private int snapshots() {
    int count = 0;
    for (Snapshot ignored : lake.table(TABLE).snapshots()) {
      count++;
    }
    return count;
  }
}
