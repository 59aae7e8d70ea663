package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestPoints.CPU;
import static io.tidemark.flink.testing.TestPoints.REQUESTS;
import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.testing.TestPoints;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RollupOperatorTest {

  private TestingRollup rollUp;

  @BeforeEach
  void open() throws Exception {
    rollUp = new TestingRollup();
  }

  @AfterEach
  void close() throws Exception {
    rollUp.close();
  }

  @Test
  void minuteGoesOutWhenTheWatermarkCompletesIt() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.value(CPU, "12:00:59", 1);
    rollUp.value(CPU, "12:00:30", 2);
    rollUp.value(CPU, "12:01:00", 9);

    rollUp.watermark("12:00:58");
    assertEquals(List.of(), rollUp.figures());

    rollUp.watermark("12:01:05");
    assertEquals(List.of("12:00 sum 6.0 count 3 min 1.0 max 3.0 last 1.0"), rollUp.figures());

    rollUp.watermark("12:02:05");
    assertEquals("12:01 sum 9.0 count 1 min 9.0 max 9.0 last 9.0", rollUp.figures().get(1));
    rollUp.assertNothingLeft();
  }

  @Test
  void seriesAreKeptApart() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.value(REQUESTS, "12:00:06", 4);

    rollUp.watermark("12:01:05");

    assertEquals(2, rollUp.figures().size());
    rollUp.assertNothingLeft();
  }

  /** Late points are one more row, a few seconds later: nothing is too late and nothing is lost. */
  @Test
  void latePointsMakeAnotherRow() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.watermark("12:05:00");
    assertEquals(1, rollUp.figures().size());

    rollUp.value(CPU, "12:00:40", 10);
    rollUp.value(CPU, "12:00:50", 20);
    rollUp.value(CPU, "08:00:00", 5);
    assertEquals(1, rollUp.figures().size(), "late points are collected for a moment");

    rollUp.clockAdvances(7);

    assertEquals(
        List.of(
            "12:00 sum 3.0 count 1 min 3.0 max 3.0 last 3.0",
            "08:00 sum 5.0 count 1 min 5.0 max 5.0 last 5.0",
            "12:00 sum 30.0 count 2 min 10.0 max 20.0 last 20.0"),
        rollUp.figures());
    rollUp.assertNothingLeft();
  }

  /** Whoever tells how far rows are complete must hear of rows that come after. */
  @Test
  void rowsOfPassedWindowsAreReportedPerMetricAndWindow() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.watermark("12:05:00");
    assertEquals(List.of(), rollUp.lateRows(), "the first rows were on time");

    rollUp.value(CPU, "12:00:40", 10);
    rollUp.value(REQUESTS, "12:00:41", 10);
    rollUp.clockAdvances(7);

    assertEquals(
        Set.of(
            new LateRows("org-a", RollupLevel.MINUTE, at("12:00:00"), 1, CPU.metric()),
            new LateRows("org-a", RollupLevel.MINUTE, at("12:00:00"), 1, REQUESTS.metric())),
        Set.copyOf(rollUp.lateRows()));
  }

  /** Readers replace cells, so the last one must say what the row says. */
  @Test
  void openMinutesAreSentEverySecondAndEndAsTheirRows() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.clockAdvances(1);
    assertEquals(Map.of(at("12:00:00") + " cpu", "3.0/1"), OpenMinuteCellsOf.latest(rollUp.live()));
    int once = rollUp.live().size();
    rollUp.clockAdvances(2);
    assertEquals(once, rollUp.live().size(), "nothing changed");

    rollUp.value(CPU, "12:00:06", 4);
    rollUp.value(REQUESTS, "12:00:07", 1);
    rollUp.watermark("12:01:05");

    assertEquals(
        Map.of(at("12:00:00") + " cpu", "7.0/2", at("12:00:00") + " requests", "1.0/1"),
        OpenMinuteCellsOf.latest(rollUp.live()));
    assertEquals(2, rollUp.figures().size());
    rollUp.assertNothingLeft();
  }

  @Test
  void fewCellsOfOpenMinutesAreSentBeforeTheSecondIsOver() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.clockAdvancesMillis(200);

    assertEquals(Map.of(at("12:00:00") + " cpu", "3.0/1"), OpenMinuteCellsOf.latest(rollUp.live()));
    int once = rollUp.live().size();
    rollUp.clockAdvances(1);
    assertEquals(once, rollUp.live().size(), "nothing changed");
  }

  @Test
  void theMoreCellsASecondHadTheLongerTheNextOnesWait() throws Exception {
    for (int i = 0; i < 800; i++) {
      rollUp.value(TestPoints.series("cpu-" + i, MetricKind.GAUGE), "12:00:05", i);
    }
    rollUp.clockAdvances(1);
    int before = rollUp.live().size();
    rollUp.value(CPU, "12:00:06", 3);

    rollUp.clockAdvancesMillis(1_399);
    assertEquals(before, rollUp.live().size());
    rollUp.clockAdvancesMillis(1_400);
    assertEquals(before + 1, rollUp.live().size());
  }

  @Test
  void everyRowHasItsOwnPaneId() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.watermark("12:05:00");
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.clockAdvances(7);

    List<JsonNode> rows = rollUp.rows();
    assertEquals(2, rows.size());
    assertNotEquals(rows.get(0).get("pane_id"), rows.get(1).get("pane_id"));
  }

  @Test
  void standingWatermarkHoldsNothingBackForLong() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);

    rollUp.clockAdvances(74);
    assertEquals(0, rollUp.figures().size());

    rollUp.clockAdvances(75);
    assertEquals(List.of("12:00 sum 3.0 count 1 min 3.0 max 3.0 last 3.0"), rollUp.figures());
    rollUp.assertNothingLeft();
  }

  /** Savepoint with drain, and the end of a replay: processing-time timers no longer fire then. */
  @Test
  void endOfInputEmitsLatePanesToo() throws Exception {
    rollUp.watermark("12:05:00");
    rollUp.value(CPU, "12:00:05", 3);

    rollUp.endOfInput();

    assertEquals(1, rollUp.figures().size());
    rollUp.assertNothingLeft();
  }

  @Test
  void sumBeyondDoubleIsSplitOverTwoRows() throws Exception {
    rollUp.value(CPU, "12:00:05", Double.MAX_VALUE);
    rollUp.value(CPU, "12:00:06", Double.MAX_VALUE);

    rollUp.watermark("12:01:05");

    assertEquals(2, rollUp.figures().size());
    for (JsonNode row : rollUp.rows()) {
      assertEquals(Double.MAX_VALUE, row.get("sum").doubleValue());
    }
    rollUp.assertNothingLeft();
  }

  @Test
  void hoursAndDaysAreFedByTheirMinutes() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.value(CPU, "12:30:00", 4);
    rollUp.value(CPU, "13:10:00", 5);
    rollUp.watermark("13:00:00");
    assertEquals(List.of("12:00 sum 7.0 count 2 min 3.0 max 4.0 last 4.0"), rollUp.hours());

    rollUp.value(CPU, "12:59:00", 10);
    rollUp.clockAdvances(7);
    rollUp.clockAdvances(70);
    assertEquals("12:00 sum 10.0 count 1 min 10.0 max 10.0 last 10.0", rollUp.hours().get(1));

    rollUp.endOfDay();
    assertEquals(List.of("00:00 sum 22.0 count 4 min 3.0 max 10.0 last 5.0"), rollUp.days());
  }
}
