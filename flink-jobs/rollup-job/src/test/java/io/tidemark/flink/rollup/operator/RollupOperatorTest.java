package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestPoints.CPU;
import static io.tidemark.flink.testing.TestPoints.REQUESTS;
import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.flink.io.deadletters.DeadLetterOutput;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.testing.TestPoints;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RollupOperatorTest {

  private static final String CLOCK = "12:00:10";

  private static final int KEY_GROUPS = 128;

  private RollupOperator operator;
  private final TestPoints points = new TestPoints();
  private KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> rollUp;

  @BeforeEach
  void open() throws Exception {
    rollUp = harness();
    rollUp.open();
    rollUp.setProcessingTime(at(CLOCK));
  }

  @AfterEach
  void close() throws Exception {
    rollUp.close();
  }

  @Test
  void minuteGoesOutWhenTheWatermarkCompletesIt() throws Exception {
    value(CPU, "12:00:05", 3);
    value(CPU, "12:00:59", 1);
    value(CPU, "12:00:30", 2);
    value(CPU, "12:01:00", 9);

    watermark("12:00:58");
    assertEquals(List.of(), figures());

    watermark("12:01:05");
    assertEquals(List.of("12:00 sum 6.0 count 3 min 1.0 max 3.0 last 1.0"), figures());

    watermark("12:02:05");
    assertEquals("12:01 sum 9.0 count 1 min 9.0 max 9.0 last 9.0", figures().get(1));
    assertNothingLeft();
  }

  @Test
  void seriesAreKeptApart() throws Exception {
    value(CPU, "12:00:05", 3);
    value(REQUESTS, "12:00:06", 4);

    watermark("12:01:05");

    assertEquals(2, figures().size());
    assertNothingLeft();
  }

  /** Late points are one more row, a few seconds later: nothing is too late and nothing is lost. */
  @Test
  void latePointsMakeAnotherRow() throws Exception {
    value(CPU, "12:00:05", 3);
    watermark("12:05:00");
    assertEquals(1, figures().size());

    value(CPU, "12:00:40", 10);
    value(CPU, "12:00:50", 20);
    value(CPU, "08:00:00", 5);
    assertEquals(1, figures().size(), "late points are collected for a moment");

    clockAdvances(7);

    assertEquals(
        List.of(
            "12:00 sum 3.0 count 1 min 3.0 max 3.0 last 3.0",
            "08:00 sum 5.0 count 1 min 5.0 max 5.0 last 5.0",
            "12:00 sum 30.0 count 2 min 10.0 max 20.0 last 20.0"),
        figures());
    assertNothingLeft();
  }

  /** Whoever tells how far rows are complete must hear of rows that come after. */
  @Test
  void rowsOfPassedWindowsAreReportedPerMetricAndWindow() throws Exception {
    value(CPU, "12:00:05", 3);
    watermark("12:05:00");
    assertEquals(List.of(), lateRows(), "the first rows were on time");

    value(CPU, "12:00:40", 10);
    value(REQUESTS, "12:00:41", 10);
    clockAdvances(7);

    assertEquals(
        Set.of(
            new LateRows("org-a", RollupLevel.MINUTE, at("12:00:00"), 1, CPU.metric()),
            new LateRows("org-a", RollupLevel.MINUTE, at("12:00:00"), 1, REQUESTS.metric())),
        Set.copyOf(lateRows()));
  }

  /** A restart must not take late points for punctual ones: nobody would hear of their rows. */
  @Test
  void restartedSubtaskKnowsHowFarItWas() throws Exception {
    value(CPU, "12:00:05", 3);
    watermark("12:05:00");
    OperatorSubtaskState snapshot = rollUp.snapshot(1, 1);
    rollUp.close();

    rollUp = harness();
    rollUp.setProcessingTime(at(CLOCK));
    rollUp.initializeState(snapshot);
    rollUp.open();
    value(CPU, "12:00:40", 4);
    watermark("12:04:00");
    assertEquals(List.of(), figures());
    clockAdvances(7);

    assertEquals(
        List.of(new LateRows("org-a", RollupLevel.MINUTE, at("12:00:00"), 1, CPU.metric())),
        lateRows());
  }

  /** Readers replace cells, so the last one must say what the row says. */
  @Test
  void openMinutesAreSentEverySecondAndEndAsTheirRows() throws Exception {
    value(CPU, "12:00:05", 3);
    clockAdvances(1);
    assertEquals(Map.of(at("12:00:00") + " cpu", "3.0/1"), OpenMinuteCellsOf.latest(live()));
    int once = live().size();
    clockAdvances(2);
    assertEquals(once, live().size(), "nothing changed");

    value(CPU, "12:00:06", 4);
    value(REQUESTS, "12:00:07", 1);
    watermark("12:01:05");

    assertEquals(
        Map.of(at("12:00:00") + " cpu", "7.0/2", at("12:00:00") + " requests", "1.0/1"),
        OpenMinuteCellsOf.latest(live()));
    assertEquals(2, figures().size());
    assertNothingLeft();
  }

  /** Readings wait for their minute to be complete; what they add so far is shown. */
  @Test
  void openMinutesOfRunningTotalsAreSentAndEndAsTheirRows() throws Exception {
    String minute = Long.toString(at("12:00:00"));
    total("11:59:50", "12:00:05", 40);
    clockAdvances(1);
    assertEquals(Map.of(minute + " bytes", "40.0/1"), OpenMinuteCellsOf.latest(live()));
    total("11:59:50", "12:00:09", 70);
    total("11:59:50", "12:00:07", 60);
    clockAdvances(2);
    assertEquals(Map.of(minute + " bytes", "70.0/3"), OpenMinuteCellsOf.latest(live()));
    int sent = live().size();

    watermark("12:01:05");

    assertEquals(sent, live().size(), "nothing changed");
    assertEquals(1, figures().size());
    assertNothingLeft();
  }

  @Test
  void everyRowHasItsOwnPaneId() throws Exception {
    value(CPU, "12:00:05", 3);
    watermark("12:05:00");
    value(CPU, "12:00:05", 3);
    clockAdvances(7);

    List<JsonNode> rows = RowsOfBundles.rows(rollUp.extractOutputValues());
    assertEquals(2, rows.size());
    assertNotEquals(rows.get(0).get("pane_id"), rows.get(1).get("pane_id"));
  }

  @Test
  void standingWatermarkHoldsNothingBackForLong() throws Exception {
    value(CPU, "12:00:05", 3);

    clockAdvances(74);
    assertEquals(0, figures().size());

    clockAdvances(75);
    assertEquals(List.of("12:00 sum 3.0 count 1 min 3.0 max 3.0 last 3.0"), figures());
    assertNothingLeft();
  }

  /** Savepoint with drain, and the end of a replay: processing-time timers no longer fire then. */
  @Test
  void endOfInputEmitsLatePanesToo() throws Exception {
    watermark("12:05:00");
    value(CPU, "12:00:05", 3);

    rollUp.processWatermark(Long.MAX_VALUE);

    assertEquals(1, figures().size());
    assertNothingLeft();
  }

  @Test
  void sumBeyondDoubleIsSplitOverTwoRows() throws Exception {
    value(CPU, "12:00:05", Double.MAX_VALUE);
    value(CPU, "12:00:06", Double.MAX_VALUE);

    watermark("12:01:05");

    assertEquals(2, figures().size());
    for (JsonNode row : RowsOfBundles.rows(rollUp.extractOutputValues())) {
      assertEquals(Double.MAX_VALUE, row.get("sum").doubleValue());
    }
    assertNothingLeft();
  }

  @Test
  void cumulativeReadingsCountInEventOrder() throws Exception {
    total("11:55:00", "12:00:30", 150);
    total("11:55:00", "12:00:10", 100);
    total("11:55:00", "12:00:20", 120);
    watermark("12:01:05");
    total("11:55:00", "12:01:10", 160);
    watermark("12:02:05");

    // 100 since the start five minutes before, then 20, 30, and 10 in the next minute.
    assertEquals(
        List.of(
            "12:00 sum 150.0 count 3 min - max - last -",
            "12:01 sum 10.0 count 1 min - max - last -"),
        figures());
  }

  @Test
  void lateReadingOfAClosedMinuteStillCountsIfNothingLaterWasUsed() throws Exception {
    total("11:55:00", "12:00:10", 100);
    watermark("12:05:00");
    total("11:55:00", "12:01:10", 130);
    clockAdvances(7);

    assertEquals("12:01 sum 30.0 count 1 min - max - last -", figures().get(1));
  }

  @Test
  void readingsThatCannotBePlacedAreDeadLetters() throws Exception {
    total("11:55:00", "12:00:30", 100);
    total("11:55:00", "12:00:30", 100);
    total("11:55:00", "12:00:30", 101);
    watermark("12:01:05");
    total("11:50:00", "12:00:40", 110);
    clockAdvances(7);

    assertEquals(List.of("12:00 sum 100.0 count 1 min - max - last -"), figures());
    List<DeadLetter> letters = deadLetters();
    assertEquals(2, letters.size(), "a contradiction and an earlier life; no repetition");
    for (DeadLetter letter : letters) {
      assertEquals(RejectionReason.CUMULATIVE_OUT_OF_ORDER, letter.reason());
      assertEquals(1, letter.pointCount());
      assertEquals("points", letter.sourceTopic());
      assertEquals("roll-up", letter.stage());
      assertTrue(letter.original().length > 0);
    }
    assertEquals(2, letters.get(0).sourceOffset());
    assertEquals(3, letters.get(1).sourceOffset());
  }

  /** 40 between the two: the late reading says that 15 of them came a minute before. */
  @Test
  void lateReadingSplitsTheDeltaThatBridgedIt() throws Exception {
    total("11:59:00", "11:59:30", 100);
    total("11:59:00", "12:01:10", 140);
    watermark("12:02:05");
    OperatorSubtaskState snapshot = rollUp.snapshot(1, 1);
    rollUp.close();
    rollUp = harness();
    rollUp.setProcessingTime(at(CLOCK));
    rollUp.initializeState(snapshot);
    rollUp.open();
    watermark("12:02:05");
    total("11:59:00", "12:00:20", 115);
    clockAdvances(7);
    clockAdvances(14);

    assertEquals(
        List.of(
            "12:00 sum 15.0 count 1 min - max - last -",
            "12:01 sum -15.0 count 0 min - max - last -"),
        figures());
    watermark("13:00:00");
    assertEquals(List.of("12:00 sum 40.0 count 2 min - max - last -"), hours());
    assertNothingLeft();
  }

  @Test
  void firstReadingOfAnOldLifeOnlySetsTheReference() throws Exception {
    total("03:00:00", "12:00:10", 1_000_000);
    total("03:00:00", "12:00:20", 1_000_007);
    watermark("12:01:05");

    assertEquals(List.of("12:00 sum 7.0 count 1 min - max - last -"), figures());
  }

  @Test
  void referenceIsForgottenAfterADay() throws Exception {
    total("03:00:00", "12:00:10", 100);
    watermark("12:01:05");
    clockAdvances(86_401);
    total("03:00:00", "12:01:10", 150);
    watermark("12:02:05");

    assertEquals(List.of(), figures(), "both readings were the first of their series");
  }

  @Test
  void hoursAndDaysAreFedByTheirMinutes() throws Exception {
    value(CPU, "12:00:05", 3);
    value(CPU, "12:30:00", 4);
    value(CPU, "13:10:00", 5);
    watermark("13:00:00");
    assertEquals(List.of("12:00 sum 7.0 count 2 min 3.0 max 4.0 last 4.0"), hours());

    value(CPU, "12:59:00", 10);
    clockAdvances(7);
    clockAdvances(70);
    assertEquals("12:00 sum 10.0 count 1 min 10.0 max 10.0 last 10.0", hours().get(1));

    rollUp.processWatermark(at("23:59:59") + 999);
    assertEquals(List.of("00:00 sum 22.0 count 4 min 3.0 max 10.0 last 5.0"), days());
  }

  /** A second checkpoint writes only what changed; it must still restore everything. */
  @Test
  void secondCheckpointHoldsWhatTheFirstWrote() throws Exception {
    value(CPU, "12:00:05", 3);
    value(REQUESTS, "12:01:05", 1);
    rollUp.snapshot(1, 1);
    value(CPU, "12:00:40", 4);
    watermark("12:01:00");
    value(REQUESTS, "12:01:06", 1);
    OperatorSubtaskState snapshot = rollUp.snapshot(2, 2);
    rollUp.close();

    rollUp = harness();
    rollUp.setProcessingTime(at(CLOCK));
    rollUp.initializeState(snapshot);
    rollUp.open();
    rollUp.processWatermark(at("23:59:59") + 999);

    assertEquals(List.of("12:01 sum 2.0 count 2 min 1.0 max 1.0 last 1.0"), figures());
    assertEquals(2, days().size());
  }

  @Test
  void openPanesSurviveARestart() throws Exception {
    value(CPU, "12:00:05", 3);
    total("11:55:00", "12:00:10", 100);
    watermark("12:00:30");
    OperatorSubtaskState snapshot = rollUp.snapshot(1, 1);
    rollUp.close();

    rollUp = harness();
    rollUp.setProcessingTime(at(CLOCK));
    rollUp.initializeState(snapshot);
    rollUp.open();
    value(CPU, "12:00:40", 4);
    watermark("12:01:05");

    assertEquals(
        List.of(
            "12:00 sum 100.0 count 1 min - max - last -",
            "12:00 sum 7.0 count 2 min 3.0 max 4.0 last 4.0"),
        figures().stream().sorted().toList());
  }

  /** The production backend: other serialization paths, the same rows. */
  @Test
  void openPanesSurviveARestartOnRocksDb() throws Exception {
    rollUp.close();
    rollUp = harness();
    rollUp.setStateBackend(new EmbeddedRocksDBStateBackend(true));
    rollUp.open();
    rollUp.setProcessingTime(at(CLOCK));
    openPanes();
    OperatorSubtaskState snapshot = rollUp.snapshot(1, 1);
    rollUp.close();

    rollUp = harness();
    rollUp.setStateBackend(new EmbeddedRocksDBStateBackend(true));
    rollUp.setProcessingTime(at(CLOCK));
    rollUp.initializeState(snapshot);
    rollUp.open();
    value(CPU, "12:00:40", 4);
    watermark("12:01:05");

    assertEquals(
        List.of(
            "12:00 sum 100.0 count 1 min - max - last -",
            "12:00 sum 7.0 count 2 min 3.0 max 4.0 last 4.0"),
        figures().stream().sorted().toList());
  }

  private void openPanes() throws Exception {
    value(CPU, "12:00:05", 3);
    total("11:55:00", "12:00:10", 100);
    watermark("12:00:30");
  }

  private KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> harness()
      throws Exception {
    operator = new RollupOperator(PaneTiming.DEFAULT, KEY_GROUPS, "points").withLiveCells(1_000);
    return new KeyedOneInputStreamOperatorTestHarness<>(
        operator, new BundleKeySelector(KEY_GROUPS), Types.INT, KEY_GROUPS, 1, 0);
  }

  private void value(SeriesDescriptor series, String time, double value) throws Exception {
    send(points.value(series, time, value));
  }

  private void total(String start, String time, double total) throws Exception {
    send(points.total(TestPoints.series("bytes", MetricKind.COUNTER), start, time, total));
  }

  private void send(MetricPoint point) throws Exception {
    for (byte[] bundle : RowsOfBundles.bundles(point, KEY_GROUPS)) {
      rollUp.processElement(new StreamRecord<>(bundle));
    }
  }

  private void watermark(String time) throws Exception {
    rollUp.processWatermark(at(time));
  }

  private void clockAdvances(int seconds) throws Exception {
    rollUp.setProcessingTime(at(CLOCK) + seconds * 1_000L);
  }

  private List<String> figures() throws Exception {
    return RowsOfBundles.figures(rollUp.extractOutputValues());
  }

  private List<String> hours() throws Exception {
    return RowsOfBundles.figures(side(RollupOperator.HOURS));
  }

  private List<String> days() throws Exception {
    return RowsOfBundles.figures(side(RollupOperator.DAYS));
  }

  private List<byte[]> side(OutputTag<byte[]> tag) {
    Queue<StreamRecord<byte[]>> bundles = rollUp.getSideOutput(tag);
    return bundles == null ? List.of() : bundles.stream().map(StreamRecord::getValue).toList();
  }

  private List<LiveRecord> live() {
    return rollUp.getSideOutput(RollupOperator.LIVE).stream().map(StreamRecord::getValue).toList();
  }

  private List<LateRows> lateRows() {
    Queue<StreamRecord<LateRows>> rows = rollUp.getSideOutput(RollupOperator.LATE_ROWS);
    return rows == null ? List.of() : rows.stream().map(StreamRecord::getValue).toList();
  }

  private List<DeadLetter> deadLetters() {
    Queue<StreamRecord<DeadLetter>> letters = rollUp.getSideOutput(DeadLetterOutput.TAG);
    return letters.stream().map(StreamRecord::getValue).toList();
  }

  /** Once hours and days are complete and the series were silent, nothing is kept anywhere. */
  private void assertNothingLeft() throws Exception {
    rollUp.processWatermark(at("23:59:59") + 999);
    for (int minutes : new int[] {2, 4, 24 * 60 + 30, 24 * 60 + 45}) {
      rollUp.setProcessingTime(at(CLOCK) + Duration.ofMinutes(minutes).toMillis());
    }
    rollUp.snapshot(99, 99);
    assertTrue(operator.isEmpty(), "panes or series");
    assertEquals(0, rollUp.numKeyedStateEntries(), "state entries");
    assertEquals(0, rollUp.numEventTimeTimers(), "event-time timers");
    assertEquals(0, rollUp.numProcessingTimeTimers(), "processing-time timers");
  }
}
