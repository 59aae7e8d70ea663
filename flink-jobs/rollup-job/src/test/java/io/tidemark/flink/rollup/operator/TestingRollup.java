package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.flink.io.deadletters.DeadLetterOutput;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.testing.TestPoints;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

/** A rollup operator with what is sent to it and what it hands on; its clock begins at 12:00:10. */
final class TestingRollup implements AutoCloseable {

  private static final String CLOCK = "12:00:10";
  private static final int KEY_GROUPS = 128;

  private final TestPoints points = new TestPoints();
  private final boolean isOnRocksDb;
  private RollupOperator operator;
  private KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> harness;
  private int checkpoints;

  TestingRollup() throws Exception {
    this(false);
  }

  private TestingRollup(boolean isOnRocksDb) throws Exception {
    this.isOnRocksDb = isOnRocksDb;
    harness = harness();
    harness.open();
    harness.setProcessingTime(at(CLOCK));
  }

  /** With the state backend of production. */
  static TestingRollup onRocksDb() throws Exception {
    return new TestingRollup(true);
  }

  private KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> harness()
      throws Exception {
    operator = new RollupOperator(PaneTiming.DEFAULT, KEY_GROUPS, "points").withLiveCells(1_000);
    KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> made =
        new KeyedOneInputStreamOperatorTestHarness<>(
            operator, new BundleKeySelector(KEY_GROUPS), Types.INT, KEY_GROUPS, 1, 0);
    if (isOnRocksDb) {
      made.setStateBackend(new EmbeddedRocksDBStateBackend(true));
    }
    return made;
  }

  OperatorSubtaskState checkpoint() throws Exception {
    checkpoints++;
    return harness.snapshot(checkpoints, checkpoints);
  }

  /** Another subtask goes on from a checkpoint of this one. */
  void restart() throws Exception {
    OperatorSubtaskState checkpoint = checkpoint();
    harness.close();
    harness = harness();
    harness.setProcessingTime(at(CLOCK));
    harness.initializeState(checkpoint);
    harness.open();
  }

  @Override
  public void close() throws Exception {
    harness.close();
  }

  void value(SeriesDescriptor series, String time, double value) throws Exception {
    send(points.value(series, time, value));
  }

  void total(String start, String time, double total) throws Exception {
    send(points.total(TestPoints.series("bytes", MetricKind.COUNTER), start, time, total));
  }

  private void send(MetricPoint point) throws Exception {
    for (byte[] bundle : RowsOfBundles.bundles(point, KEY_GROUPS)) {
      harness.processElement(new StreamRecord<>(bundle));
    }
  }

  void watermark(String time) throws Exception {
    harness.processWatermark(at(time));
  }

  /** Completes every hour and the day. */
  void endOfDay() throws Exception {
    harness.processWatermark(at("23:59:59") + 999);
  }

  void endOfInput() throws Exception {
    harness.processWatermark(Long.MAX_VALUE);
  }

  List<JsonNode> rows() throws Exception {
    return RowsOfBundles.rows(harness.extractOutputValues());
  }

  void clockAdvances(int seconds) throws Exception {
    clockAdvancesMillis(seconds * 1_000L);
  }

  void clockAdvancesMillis(long millis) throws Exception {
    harness.setProcessingTime(at(CLOCK) + millis);
  }

  List<String> figures() throws Exception {
    return RowsOfBundles.figures(harness.extractOutputValues());
  }

  List<String> hours() throws Exception {
    return RowsOfBundles.figures(side(RollupOperator.HOURS));
  }

  List<String> days() throws Exception {
    return RowsOfBundles.figures(side(RollupOperator.DAYS));
  }

  private List<byte[]> side(OutputTag<byte[]> tag) {
    Queue<StreamRecord<byte[]>> bundles = harness.getSideOutput(tag);
    return bundles == null ? List.of() : bundles.stream().map(StreamRecord::getValue).toList();
  }

  List<LiveRecord> live() {
    return harness.getSideOutput(RollupOperator.LIVE).stream().map(StreamRecord::getValue).toList();
  }

  List<LateRows> lateRows() {
    Queue<StreamRecord<LateRows>> rows = harness.getSideOutput(RollupOperator.LATE_ROWS);
    return rows == null ? List.of() : rows.stream().map(StreamRecord::getValue).toList();
  }

  List<DeadLetter> deadLetters() {
    Queue<StreamRecord<DeadLetter>> letters = harness.getSideOutput(DeadLetterOutput.TAG);
    return letters.stream().map(StreamRecord::getValue).toList();
  }

  /** Once hours and days are complete and the series were silent, nothing is kept anywhere. */
  void assertNothingLeft() throws Exception {
    endOfDay();
    for (int minutes : new int[] {2, 4, 24 * 60 + 30, 24 * 60 + 45}) {
      harness.setProcessingTime(at(CLOCK) + Duration.ofMinutes(minutes).toMillis());
    }
    harness.snapshot(99, 99);
    assertTrue(operator.isEmpty(), "panes or series");
    assertEquals(0, harness.numKeyedStateEntries(), "state entries");
    assertEquals(0, harness.numEventTimeTimers(), "event-time timers");
    assertEquals(0, harness.numProcessingTimeTimers(), "processing-time timers");
  }
}
