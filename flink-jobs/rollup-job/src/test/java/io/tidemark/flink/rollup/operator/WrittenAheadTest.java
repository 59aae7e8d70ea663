package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.rollup.PaneStateOptions;
import io.tidemark.flink.testing.TestPoints;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Panes are written to state a little with every bundle while a barrier is near. A checkpoint must
 * hold what was there at its barrier all the same: no version of a chunk that was written too soon,
 * and nothing that came afterwards.
 */
class WrittenAheadTest {

  private static final int KEY_GROUPS = 128;
  private static final int SERIES = 30;
  private static final long STEP_MS = 100;

  /** As often as the shipped job. */
  private static final int STEPS_PER_CHECKPOINT = 50;

  private final TestPoints points = new TestPoints();
  private final Random random = new Random(37);
  private final Map<String, Double> sent = new TreeMap<>();
  private boolean isOnRocksDb;
  private long now = at("12:00:00");

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRestoreHoldsWhatWasThereAtTheBarrier(boolean onRocksDb) throws Exception {
    isOnRocksDb = onRocksDb;
    OperatorSubtaskState snapshot = null;
    Map<String, Double> sentAtBarrier = Map.of();
    try (var rollUp = harness(1, 0)) {
      rollUp.setProcessingTime(now);
      rollUp.open();
      for (int checkpoint = 1; checkpoint <= 4; checkpoint++) {
        for (int step = 0; step < STEPS_PER_CHECKPOINT; step++) {
          send(rollUp);
        }
        // RocksDB does not count.
        assertTrue(onRocksDb || rollUp.numKeyedStateEntries() > 0, "nothing was written ahead");
        snapshot = rollUp.snapshot(checkpoint, now);
        sentAtBarrier = new TreeMap<>(sent);
      }
      for (int step = 0; step < STEPS_PER_CHECKPOINT; step++) {
        send(rollUp);
      }
    }

    assertEquals(sentAtBarrier, restored(snapshot, 1));
    assertEquals(sentAtBarrier, restored(snapshot, 3), "over three subtasks");
  }

  private void send(KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> rollUp)
      throws Exception {
    for (int i = 0; i < 20; i++) {
      String metric = "cpu-" + random.nextInt(SERIES);
      double value = random.nextInt(1_000);
      sent.merge(metric, value, Double::sum);
      for (byte[] bundle :
          RowsOfBundles.bundles(
              points.value(
                  TestPoints.series(metric, MetricKind.GAUGE),
                  "12:0" + random.nextInt(8) + ":05",
                  value),
              KEY_GROUPS)) {
        rollUp.processElement(new StreamRecord<>(bundle));
      }
    }
    now += STEP_MS;
    rollUp.setProcessingTime(now);
  }

  /** Sums of the day by metric. */
  private Map<String, Double> restored(OperatorSubtaskState snapshot, int parallelism)
      throws Exception {
    Map<String, Double> sums = new TreeMap<>();
    for (int subtask = 0; subtask < parallelism; subtask++) {
      try (var rollUp = harness(parallelism, subtask)) {
        rollUp.setProcessingTime(now);
        rollUp.initializeState(
            AbstractStreamOperatorTestHarness.repartitionOperatorState(
                snapshot, KEY_GROUPS, 1, parallelism, subtask));
        rollUp.open();
        rollUp.processWatermark(Long.MAX_VALUE);
        Queue<StreamRecord<byte[]>> days = rollUp.getSideOutput(RollupOperator.DAYS);
        for (JsonNode row :
            RowsOfBundles.rows(days.stream().map(StreamRecord::getValue).toList())) {
          sums.merge(row.get("metric").asText(), row.get("sum").doubleValue(), Double::sum);
        }
      }
    }
    return sums;
  }

  private KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> harness(
      int parallelism, int subtask) throws Exception {
    var rollUp =
        new KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]>(
            new RollupOperator(PaneTiming.DEFAULT, KEY_GROUPS, "points")
                .withCheckpointsEvery(STEPS_PER_CHECKPOINT * STEP_MS),
            new BundleKeySelector(KEY_GROUPS),
            Types.INT,
            KEY_GROUPS,
            parallelism,
            subtask);
    if (isOnRocksDb) {
      EmbeddedRocksDBStateBackend asShipped = new EmbeddedRocksDBStateBackend(true);
      asShipped.setRocksDBOptions(new PaneStateOptions());
      rollUp.setStateBackend(asShipped);
    }
    return rollUp;
  }
}
