package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.flink.model.budget.Budget;
import io.tidemark.flink.model.budget.BudgetExceeded;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.testing.TestPoints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** Folded series in the operator: in state, over a restart with another parallelism, and gone. */
class RollupBudgetsTest {

  private static final int KEY_GROUPS = 128;
  private static final int SERIES = 300;
  private static final TenantLimits LIMITS = new TenantLimits(10, 1_000, 64, 64, 64);
  private static final String OVERFLOW = "metric.tidemark.overflow";

  private final TestPoints points = new TestPoints();
  private RollupOperator operator;

  @Test
  void overflowSurvivesARestartWithAnotherParallelism() throws Exception {
    OperatorSubtaskState snapshot;
    Set<String> apart;
    try (var one = harness(1, 0)) {
      one.setStateBackend(new EmbeddedRocksDBStateBackend(true));
      one.open();
      one.setProcessingTime(at("12:00:10"));
      send(one, "12:00:05", 100);
      one.processWatermark(at("12:01:05"));
      List<JsonNode> rows = RowsOfBundles.rows(one.extractOutputValues());
      apart = apart(rows);
      assertEquals(10, apart.size());
      assertEquals(SERIES * 100, sum(rows));
      paneIdsAreUnique(rows);
      snapshot = one.snapshot(1, 1);
    }

    List<JsonNode> rows = new ArrayList<>();
    for (int subtask = 0; subtask < 3; subtask++) {
      try (var part = harness(3, subtask)) {
        part.setStateBackend(new EmbeddedRocksDBStateBackend(true));
        part.initializeState(
            AbstractStreamOperatorTestHarness.repartitionOperatorState(
                snapshot, KEY_GROUPS, 1, 3, subtask));
        part.open();
        part.setProcessingTime(at("12:01:10"));
        send(part, "12:01:05", 150);
        part.processWatermark(at("12:02:05"));
        rows.addAll(RowsOfBundles.rows(part.extractOutputValues()));
      }
    }

    Set<String> now = apart(rows);
    assertTrue(now.containsAll(apart), "who was apart is apart");
    assertTrue(now.size() < 50, () -> now.size() + " of ten: a share has room, not more");
    assertEquals(SERIES * 50, sum(rows), "every running total went on from its reference");
    paneIdsAreUnique(rows);
  }

  @Test
  void tenantAndMetricAreToldAndNothingIsLeft() throws Exception {
    try (var one = harness(1, 0)) {
      one.open();
      one.setProcessingTime(at("12:00:10"));
      send(one, "12:00:05", 100);
      one.setProcessingTime(at("12:00:12"));

      BudgetExceeded told = one.getSideOutput(BudgetOutput.TAG).peek().getValue();
      assertEquals(
          new BudgetExceeded(
              "org-a",
              "env-a",
              "req",
              Budget.ACTIVE_SERIES,
              10,
              11,
              SERIES - 10,
              told.observedAtUnixMs()),
          told);

      one.processWatermark(at("23:59:59") + 999);
      for (int minutes = 10; minutes < 26 * 60; minutes += 30) {
        one.setProcessingTime(at("12:00:10") + Duration.ofMinutes(minutes).toMillis());
      }
      one.snapshot(9, 9);
      assertTrue(operator.isEmpty(), "panes, series or ledger");
      assertEquals(0, one.numKeyedStateEntries());
      assertEquals(0, one.numProcessingTimeTimers());
    }
  }

  private KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> harness(
      int parallelism, int subtask) throws Exception {
    operator = new RollupOperator(PaneTiming.DEFAULT, KEY_GROUPS, "points");
    return new KeyedOneInputStreamOperatorTestHarness<>(
        operator, new BundleKeySelector(KEY_GROUPS), Types.INT, KEY_GROUPS, parallelism, subtask);
  }

  /** Running totals of every series whose key group the subtask has. */
  private void send(
      KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> to, String time, double total)
      throws Exception {
    var own =
        ((org.apache.flink.runtime.state.AbstractKeyedStateBackend<?>)
                to.getOperator().getKeyedStateBackend())
            .getKeyGroupRange();
    for (int i = 0; i < SERIES; i++) {
      SeriesDescriptor series =
          new SeriesDescriptor(
              "org-a", "env-a", "req", MetricKind.COUNTER, "", Map.of(), Map.of("id", "" + i));
      for (byte[] bundle :
          RowsOfBundles.bundles(
              points.total(series, "11:55:00", time, total), KEY_GROUPS, LIMITS)) {
        if (own.contains(io.tidemark.flink.model.panes.combine.Bundle.keyGroupOf(bundle))) {
          to.processElement(new StreamRecord<>(bundle));
        }
      }
    }
  }

  private static Set<String> apart(List<JsonNode> rows) {
    Set<String> apart = new HashSet<>();
    for (JsonNode row : rows) {
      if (!row.has(OVERFLOW)) {
        apart.add(row.get("series_id").asText());
      }
    }
    return apart;
  }

  private static double sum(List<JsonNode> rows) {
    return rows.stream().mapToDouble(row -> row.get("sum").asDouble()).sum();
  }

  private static void paneIdsAreUnique(List<JsonNode> rows) {
    Map<String, Integer> ids = new HashMap<>();
    rows.forEach(row -> ids.merge(row.get("pane_id").asText(), 1, Integer::sum));
    assertEquals(rows.size(), ids.size());
  }
}
