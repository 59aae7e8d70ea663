package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.rollup.operator.RollupHarness.KEY_GROUPS;
import static io.tidemark.flink.rollup.operator.RollupHarness.send;
import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.flink.model.panes.combine.Bundle;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.testing.TestPoints;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** Key groups move to other subtasks, and back, with everything that is open in them. */
class RescaledPanesTest {

  private static final String CLOCK = "12:00:10";
  private static final int SERIES = 300;
  private static final int SUM = (SERIES - 1) * SERIES / 2;

  private final TestPoints points = new TestPoints();

  @Test
  void openPanesFollowTheirKeyGroupsToMoreSubtasks() throws Exception {
    OperatorSubtaskState snapshot = opened(false);
    int emitted = 0;
    double sum = 0;
    for (int subtask = 0; subtask < 3; subtask++) {
      try (var part = restored(snapshot, 1, 3, subtask)) {
        part.processWatermark(at("12:01:05"));
        List<JsonNode> rows = RowsOfBundles.rows(part.extractOutputValues());
        assertTrue(rows.size() > 50, "every subtask has its part");
        emitted += rows.size();
        sum += sum(rows);
      }
    }
    assertEquals(SERIES, emitted);
    assertEquals(SUM, sum);
  }

  /** What came in between is there too, and a total goes on from its last reading. */
  @Test
  void openPanesComeTogetherInFewerSubtasks() throws Exception {
    OperatorSubtaskState snapshot = opened(true);
    List<OperatorSubtaskState> parts = new ArrayList<>();
    for (int subtask = 0; subtask < 3; subtask++) {
      try (var part = restored(snapshot, 1, 3, subtask)) {
        for (int i = 0; i < SERIES; i++) {
          for (byte[] bundle : RowsOfBundles.bundles(value(i, "12:00:20", 1), KEY_GROUPS)) {
            if (subtask == subtaskOf(bundle)) {
              part.processElement(new StreamRecord<>(bundle));
            }
          }
        }
        parts.add(part.snapshot(2, 2));
      }
    }
    OperatorSubtaskState together =
        AbstractStreamOperatorTestHarness.repackageState(
            parts.toArray(OperatorSubtaskState[]::new));
    try (var whole = restored(together, 3, 1, 0)) {
      send(whole, total("12:00:30", 107));
      whole.processWatermark(at("12:01:05"));
      List<JsonNode> rows = RowsOfBundles.rows(whole.extractOutputValues());
      assertEquals(SERIES + 1, rows.size());
      assertEquals(SUM + SERIES + 7, sum(rows));
    }
  }

  /** A value of each series; and of one more, if wanted, a total of 100 whose minute has gone. */
  private OperatorSubtaskState opened(boolean withTotal) throws Exception {
    try (var whole = RollupHarness.of(1, 0)) {
      whole.setStateBackend(new EmbeddedRocksDBStateBackend());
      whole.open();
      whole.setProcessingTime(at(CLOCK));
      for (int i = 0; i < SERIES; i++) {
        send(whole, value(i, "12:00:05", i));
      }
      if (withTotal) {
        send(whole, total("11:59:30", 100));
        whole.processWatermark(at("12:00:03"));
      }
      return whole.snapshot(1, 1);
    }
  }

  private static KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> restored(
      OperatorSubtaskState state, int from, int to, int subtask) throws Exception {
    var part = RollupHarness.of(to, subtask);
    part.setStateBackend(new EmbeddedRocksDBStateBackend());
    part.setProcessingTime(at(CLOCK));
    part.initializeState(
        AbstractStreamOperatorTestHarness.repartitionOperatorState(
            state, KEY_GROUPS, from, to, subtask));
    part.open();
    return part;
  }

  private static int subtaskOf(byte[] bundle) {
    return KeyGroupRangeAssignment.computeOperatorIndexForKeyGroup(
        KEY_GROUPS, 3, Bundle.keyGroupOf(bundle));
  }

  private MetricPoint value(int series, String time, double value) {
    return points.value(TestPoints.series("cpu-" + series, MetricKind.GAUGE), time, value);
  }

  private MetricPoint total(String time, double total) {
    return points.total(TestPoints.series("bytes", MetricKind.COUNTER), "11:55:00", time, total);
  }

  private static double sum(List<JsonNode> rows) {
    return rows.stream().mapToDouble(row -> row.get("sum").doubleValue()).sum();
  }
}
