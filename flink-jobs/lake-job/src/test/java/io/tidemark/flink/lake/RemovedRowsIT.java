package io.tidemark.flink.lake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.removals.RemovalOrder;
import io.tidemark.flink.io.removals.RemovalOrder.Rule;
import io.tidemark.flink.lake.operator.DataFileWriter;
import io.tidemark.flink.lake.operator.FileCommitter;
import io.tidemark.flink.lake.operator.PartitionFiles;
import io.tidemark.flink.lake.operator.Upkeep;
import io.tidemark.flink.lake.rows.PointRows;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows that were ordered to be removed go, with their bytes, and no other row does. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RemovedRowsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration KEPT = Duration.ofSeconds(1);

  /** Merging has nothing to do, so files are written again for removals alone. */
  private static final Upkeep UPKEEP =
      new Upkeep(Duration.ofMillis(10), 1_000, 10_000, KEPT, Duration.ofDays(7));

  private static final String ENVIRONMENT = "env-a";
  private static final Rule EVERYTHING = new Rule("", "", List.of(), "", 0);

  @TempDir Path folder;
  private TestingLake lake;
  private long clock = System.currentTimeMillis();
  private long checkpoints;

  @BeforeEach
  void create() throws Exception {
    lake = TestingLake.in(folder.resolve("warehouse"));
    TestingRemovals.reset();
  }

  @AfterEach
  void close() {
    lake.close();
  }

  private static RemovalOrder order(String organization, long settledFrom, Rule... rules) {
    return new RemovalOrder(organization, ENVIRONMENT, "del-1", List.of(rules), settledFrom, 1);
  }

  @Test
  void rowsOfATenantGoWithTheirBytesAndNoOtherRowDoes() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      for (int batch = 0; batch < 6; batch++) {
        commit(committer, file(batch % 2 == 0 ? "org-a" : "org-b", batch));
      }
      List<Record> others = rows(row -> !row.getField("organization_id").equals("org-a"));
      TestingRemovals.order(order("org-a", 0, EVERYTHING));
      keepUntil(committer, TestingRemovals::nothingIsLeft);

      assertEquals(List.of(), rows(row -> row.getField("organization_id").equals("org-a")));
      assertEquals(others, rows(row -> true), "what others sent, to the row");
      assertEquals(9, TestingRemovals.removedRows());
      // Those of org-b alone: the snapshots that held the others expire.
      keepUntil(committer, () -> dataFiles().size() == 3);
      assertEquals(others, rows(row -> true));
    }
  }

  @Test
  void onlyWhatARuleFitsAndIsOldEnoughGoes() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      commit(committer, file("org-a", 1));
      long second = TestTime.nanosAt("12:00:01") / 1_000_000;
      TestingRemovals.order(
          order(
              "org-a",
              0,
              new Rule("raw", "c*", List.of("cores"), "", second),
              // Its point is at that time, not before it.
              new Rule("raw", "requests", List.of(), "", second),
              new Rule("rollup_1m", "", List.of(), "", 0)));
      keepUntil(committer, TestingRemovals::nothingIsLeft);

      assertEquals(1, TestingRemovals.removedRows());
      assertEquals(
          List.of("cores", "requests"),
          rows(row -> true).stream()
              .map(row -> row.getField("metric").toString())
              .sorted()
              .toList());
    }
  }

  @Test
  void otherEnvironmentsAndOrdersWithoutRulesRemoveNothing() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      commit(committer, file("org-a", 1));
      TestingRemovals.order(
          new RemovalOrder("org-a", "env-none", "del-1", List.of(EVERYTHING), 0, 1));
      TestingRemovals.order(new RemovalOrder("org-a", ENVIRONMENT, "del-2", List.of(), 0, 1));
      keepUntil(
          committer,
          () ->
              TestingRemovals.reports().stream()
                      .filter(report -> report.hasNothingLeft())
                      .map(report -> report.getRemovalId())
                      .distinct()
                      .count()
                  == 2);
      assertEquals(3, rows(row -> true).size());
      assertEquals(0, TestingRemovals.removedRows());
    }
  }

  @Test
  void whatArrivesBeforeItIsSettledGoesTooAndOnlyThenNothingIsLeft() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      commit(committer, file("org-a", 1));
      long settled = clock + Duration.ofHours(1).toMillis();
      TestingRemovals.order(order("org-a", settled, EVERYTHING));
      TestingRemovals.readUpTo(settled - 1);
      keepUntil(committer, () -> TestingRemovals.removedRows() == 3);
      commit(committer, file("org-a", 2));
      clock = settled;
      keepUntil(committer, () -> TestingRemovals.removedRows() == 6);
      for (int step = 0; step < 20; step++) {
        keep(committer);
      }
      assertFalse(TestingRemovals.nothingIsLeft(), "the job has not read all that was sent");
      TestingRemovals.readUpTo(settled);
      keepUntil(committer, TestingRemovals::nothingIsLeft);
      assertEquals(0, rows(row -> true).size());
    }
  }

  /** The report is lost, and the job restarted: the table still says what was removed. */
  @Test
  void aReportThatWasLostIsMadeAgainAndRowsAreCountedOnce() throws Exception {
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      commit(committer, file("org-a", 1));
      TestingRemovals.order(order("org-a", 0, EVERYTHING));
      TestingRemovals.fail(Integer.MAX_VALUE);
      keepUntil(committer, () -> rowsQuietly() == 0);
      state = committer.snapshot(++checkpoints, clock);
      committer.notifyOfCompletedCheckpoint(checkpoints);
    }
    assertEquals(0, TestingRemovals.removedRows());
    TestingRemovals.fail(0);
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.setRestoredCheckpointId(checkpoints);
      committer.initializeState(state);
      committer.open();
      keepUntil(committer, TestingRemovals::nothingIsLeft);
      assertEquals(3, TestingRemovals.removedRows());
      commit(committer, file("org-b", 2));
    }
    assertEquals(3, rows(row -> true).size());
  }

  private long rowsQuietly() {
    try {
      return rows(row -> true).size();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void keep(OneInputStreamOperatorTestHarness<String, Void> committer) throws Exception {
    clock += UPKEEP.interval().toMillis();
    committer.setProcessingTime(clock);
    Thread.onSpinWait();
  }

  private void keepUntil(
      OneInputStreamOperatorTestHarness<String, Void> committer, BooleanSupplier condition)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, () -> "last told: " + TestingRemovals.reports());
      keep(committer);
    }
  }

  private OneInputStreamOperatorTestHarness<String, Void> committer() throws Exception {
    OneInputStreamOperatorTestHarness<String, Void> committer =
        new OneInputStreamOperatorTestHarness<>(
            new FileCommitter(lake.source("raw_points"), UPKEEP, new TestingRemovals()));
    committer.setProcessingTime(clock);
    return committer;
  }

  private void commit(OneInputStreamOperatorTestHarness<String, Void> committer, String file)
      throws Exception {
    committer.processElement(new StreamRecord<>(file));
    committer.snapshot(++checkpoints, clock);
    committer.notifyOfCompletedCheckpoint(checkpoints);
  }

  @Test
  void rowsOfAnotherEnvironmentInTheSameFileStay() throws Exception {
    try (OneInputStreamOperatorTestHarness<String, Void> committer = committer()) {
      committer.open();
      commit(committer, file("org-a", 1, ENVIRONMENT, "env-b"));
      List<Record> others = rows(row -> row.getField("environment_id").equals("env-b"));
      TestingRemovals.order(order("org-a", 0, EVERYTHING));
      keepUntil(committer, TestingRemovals::nothingIsLeft);

      assertEquals(3, others.size());
      assertEquals(others, rows(row -> true));
      assertEquals(3, TestingRemovals.removedRows());
    }
  }

  /** A file with three points. */
  private String file(String organization, int number) throws Exception {
    return file(organization, number, ENVIRONMENT);
  }

  /** A file with three points of each environment. */
  private String file(String organization, int number, String... environments) throws Exception {
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
      for (String environment : environments) {
        PointsRecord sent =
            new TestBatch()
                .gauge("cpu", "12:00:00", number)
                .gauge("cores", "12:00:00", number)
                .delta("requests", "12:00:01", number)
                .received(organization, number, "12:00:02");
        writer.processElement(new StreamRecord<>(WrittenRows.admitted(in(environment, sent))));
      }
      writer.prepareSnapshotPreBarrier(number);
      return writer.extractOutputValues().get(0);
    }
  }

  private static PointsRecord in(String environment, PointsRecord sent) {
    return new PointsRecord(
        sent.topic(),
        sent.partition(),
        sent.offset(),
        sent.organizationId(),
        environment,
        sent.batchId(),
        sent.receivedAt(),
        sent.eventTimeMs(),
        sent.value());
  }

  private List<Record> rows(Predicate<Record> wanted) throws Exception {
    return lake.rows("raw_points").stream()
        .filter(wanted)
        .sorted(java.util.Comparator.comparing(Record::toString))
        .toList();
  }

  private List<Path> dataFiles() {
    try (Stream<Path> paths = Files.walk(folder.resolve("warehouse"))) {
      List<Path> found = paths.filter(path -> path.toString().endsWith(".parquet")).toList();
      assertTrue(found.stream().allMatch(Files::isRegularFile));
      return found;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
