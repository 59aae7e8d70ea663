package io.tidemark.flink.lake;

import static io.tidemark.flink.io.StreamNames.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.contracts.control.v1.Retention;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.source.PointsSource;
import io.tidemark.flink.io.removals.Removals;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestControl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The production topology of points on a MiniCluster and PostgreSQL, failing on the way. */
class LakeRestartIT {

  private static final int BATCHES = 2_000;
  private static final int POINTS_PER_BATCH = 3;

  /** Batches that come last, when control records have long been read. */
  private static final int JUDGED = 40;

  /** One deleted, one whose rollups are kept for an hour. */
  private static final List<ControlRecord> TENANTS =
      List.of(
          TestControl.tenant("org-gone", TenantState.TENANT_STATE_DELETED, 1, 0),
          TestControl.kept("org-hour", 1, hour(), 0, hour()));

  @TempDir Path folder;

  /**
   * Nothing between barriers is lost, nothing is written twice, every resend is one row; what the
   * rollups do not count is no row.
   */
  @Test
  void everyPointIsOneRowAfterFailures() throws Exception {
    FailsAfterCheckpoints.COMPLETED.set(0);
    FailsAfterCheckpoints.FAILURES.set(0);
    try (TestingLake lake = TestingLake.in(folder.resolve("warehouse"))) {
      StreamExecutionEnvironment environment = environment();
      LakeTopology.points(
          named(
              named(
                      named(
                              environment.fromSource(
                                  new DataGeneratorSource<>(
                                      LakeRestartIT::batch,
                                      2 * BATCHES + JUDGED,
                                      RateLimiterStrategy.perCheckpoint(BATCHES / 4),
                                      TypeInformation.of(PointsRecord.class)),
                                  WatermarkStrategy.noWatermarks(),
                                  "batches"),
                              "test-batches",
                              "Batches made in memory, some per checkpoint")
                          .map(new FailsAfterCheckpoints(), TypeInformation.of(PointsRecord.class)),
                      "test-failures",
                      "Fails now and then")
                  .assignTimestampsAndWatermarks(
                      PointsSource.watermarks(Duration.ofSeconds(5), Duration.ofSeconds(5))),
              "test-watermarks",
              "Watermarks"),
          named(
              environment.fromData(TENANTS, TypeInformation.of(ControlRecord.class)),
              "test-tenants",
              "Control records"),
          lake.source("raw_points"),
          new LakeTopology.Care(
              Duration.ofMillis(50), Duration.ofDays(1), Duration.ofDays(7), Removals.NONE));

      environment.execute("restarts");

      assertTrue(
          FailsAfterCheckpoints.FAILURES.get() >= 2,
          () -> "failed " + FailsAfterCheckpoints.FAILURES.get() + " times");
      List<Record> rows = lake.rows("raw_points");
      Set<String> places = new HashSet<>();
      Map<Double, Integer> values = new HashMap<>();
      // The late one of each batch is a dead letter of the rollup job, the deleted tenant's are
      // all.
      Set<Object> punctual = new HashSet<>();
      for (Iterator<Record> left = rows.iterator(); left.hasNext(); ) {
        Record row = left.next();
        assertNotEquals("org-gone", row.getField("organization_id"));
        if (row.getField("organization_id").equals("org-hour")) {
          assertEquals("cpu", row.getField("metric"));
          punctual.add(row.getField("batch_id"));
          left.remove();
        }
      }
      assertEquals(JUDGED / 2, punctual.size());
      for (Record row : rows) {
        places.add(row.getField("batch_id") + "-" + row.getField("point_index"));
        values.merge((Double) row.getField("value"), 1, Integer::sum);
      }
      assertEquals(BATCHES * POINTS_PER_BATCH, rows.size());
      assertEquals(rows.size(), places.size(), "no point twice");
      for (int batch = 0; batch < BATCHES; batch++) {
        assertEquals(POINTS_PER_BATCH, values.get((double) batch));
      }
      int snapshots = 0;
      for (Snapshot ignored : lake.table("raw_points").snapshots()) {
        snapshots++;
      }
      assertTrue(snapshots > 3, "several commits");
    }
  }

  private static Retention hour() {
    return Retention.newBuilder()
        .setRollup1MSeconds(3_600)
        .setRollup1HSeconds(3_600)
        .setRollup1DSeconds(3_600)
        .build();
  }

  private StreamExecutionEnvironment environment() {
    Configuration configuration = new Configuration();
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.resolve("state").toUri().toString());
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
    LakeJob.neverDiffer(environment, Duration.ofMillis(100));
    return environment;
  }

  /** Every batch twice, the second time as a resend. */
  private static PointsRecord batch(Long number) {
    if (number >= 2 * BATCHES) {
      return new TestBatch()
          .gauge("cpu", "12:00:00", (double) number)
          .delta("late", "11:00:00", 1)
          .received(number % 2 == 0 ? "org-gone" : "org-hour", number, "12:00:03");
    }
    long batch = number % BATCHES;
    double value = (double) batch;
    return new TestBatch()
        .gauge("cpu", "12:00:00", value)
        .delta("requests", "12:00:01", value)
        .cumulative("bytes", "11:00:00", "12:00:02", value)
        .received("org-" + batch % 5, number, "12:00:03");
  }

  /** Fails once after the second and once after the fourth checkpoint it hears of. */
  private static final class FailsAfterCheckpoints
      implements MapFunction<PointsRecord, PointsRecord>, CheckpointListener {
    private static final long serialVersionUID = 1L;

    static final AtomicInteger COMPLETED = new AtomicInteger();
    static final AtomicInteger FAILURES = new AtomicInteger();

    @Override
    public PointsRecord map(PointsRecord record) {
      int due = COMPLETED.get() / 2;
      int failed = FAILURES.get();
      if (due > failed && failed < 3 && FAILURES.compareAndSet(failed, failed + 1)) {
        throw new IllegalStateException("A failure that the test wants");
      }
      return record;
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      COMPLETED.incrementAndGet();
    }
  }
}
