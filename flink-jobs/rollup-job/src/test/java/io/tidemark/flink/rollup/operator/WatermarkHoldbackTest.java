package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestPoints.CPU;
import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.testing.TestPoints;
import java.util.List;
import java.util.Queue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Complete minutes of a backlog wait for the next barrier, with checkpoints every five seconds. */
class WatermarkHoldbackTest {

  private static final int KEY_GROUPS = 128;
  private static final long INTERVAL_MS = 5_000;

  private final TestPoints points = new TestPoints();
  private final long opened = at("13:00:10");
  private KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> rollUp;

  @BeforeEach
  void open() throws Exception {
    rollUp =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new RollupOperator(PaneTiming.DEFAULT, KEY_GROUPS, "points")
                .withCheckpointsEvery(INTERVAL_MS),
            new BundleKeySelector(KEY_GROUPS),
            Types.INT,
            KEY_GROUPS,
            1,
            0);
    rollUp.setProcessingTime(opened);
    rollUp.open();
    value("12:00:05", 3);
    value("12:01:05", 4);
  }

  @AfterEach
  void close() throws Exception {
    rollUp.close();
  }

  /** One row where there were two: nobody could have read the first before the second. */
  @Test
  void latePointsJoinACompleteMinuteUntilTheBarrier() throws Exception {
    watermark("12:01:00");
    clock(3_000);
    value("12:00:40", 10);
    assertEquals(List.of(), minutes());
    assertEquals(List.of(), forwarded(), "who follows must not take the minute for told");

    barrier(1);

    assertEquals(List.of("12:00 sum 13.0 count 2 min 3.0 max 10.0 last 10.0"), minutes());
    assertEquals(List.of(at("12:01:00")), forwarded());
    assertEquals(List.of(), lateRows(), "nothing was told that these rows change");

    value("12:00:50", 5);
    barrier(2);
    assertEquals("12:00 sum 5.0 count 1 min 5.0 max 5.0 last 5.0", minutes().get(1));
    assertEquals(1, lateRows().size(), "that minute was told");
  }

  @Test
  void rowsGoBetweenBundlesShortlyBeforeTheBarrier() throws Exception {
    watermark("12:01:00");
    clock(INTERVAL_MS - 200);
    value("12:01:10", 1);
    assertEquals(0, minutes().size());

    clock(INTERVAL_MS - 50);
    value("12:01:11", 1);

    assertEquals(1, minutes().size());
  }

  /** A barrier that queued behind rows is no reason for the next rows to go as late. */
  @Test
  void rowsAreOutWhenTheNextCheckpointStarts() throws Exception {
    barrier(1, 1_500);
    watermark("12:01:00");
    clock(2 * INTERVAL_MS - 200);
    value("12:01:10", 1);
    assertEquals(0, minutes().size());

    clock(2 * INTERVAL_MS - 50);
    value("12:01:11", 1);

    assertEquals(1, minutes().size());
  }

  /** A checkpoint that does not come holds nothing up. */
  @Test
  void nothingWaitsForABarrierThatIsLate() throws Exception {
    watermark("12:01:00");
    clock(INTERVAL_MS + 1);

    watermark("12:01:01");

    assertEquals(1, minutes().size());
    assertEquals(List.of(at("12:01:01")), forwarded());
  }

  @Test
  void waitsAgainAfterABarrier() throws Exception {
    barrier(1);
    clock(INTERVAL_MS + 1_000);

    watermark("12:01:00");

    assertEquals(0, minutes().size());
    barrier(2);
    assertEquals(1, minutes().size());
  }

  /** Its minutes are told by a checkpoint that is asked for when they are out. */
  @Test
  void aJobThatKeepsUpLetsMinutesGoAtOnce() throws Exception {
    value("12:59:05", 5);
    barrier(1);
    clock(INTERVAL_MS + 1_000);

    watermark("13:00:00");

    assertEquals(3, minutes().size());
    assertEquals(List.of(at("13:00:00")), forwarded());
  }

  /** Of who is idle no watermark is taken any more. */
  @Test
  void nothingWaitsBehindIdleness() throws Exception {
    watermark("12:01:00");

    rollUp.processWatermarkStatus(WatermarkStatus.IDLE);

    assertEquals(1, minutes().size());
    assertEquals(
        List.of(new Watermark(at("12:01:00")), WatermarkStatus.IDLE),
        rollUp.getOutput().stream().filter(one -> !(one instanceof StreamRecord)).toList());
  }

  @Test
  void theEndOfInputWaitsForNothing() throws Exception {
    watermark("12:01:00");

    rollUp.processWatermark(Long.MAX_VALUE);

    assertEquals(2, minutes().size());
    assertEquals(List.of(Long.MAX_VALUE), forwarded());
  }

  /** More minutes of a key group than are kept open. */
  @Test
  void aLongPastDoesNotWait() throws Exception {
    for (int minute = 0; minute < 501; minute++) {
      value("%02d:%02d:00".formatted(minute / 60, minute % 60), 1);
    }

    watermark("08:30:00");

    assertEquals(501, minutes().size());
    assertEquals(List.of(), lateRows());
  }

  private void value(String time, double value) throws Exception {
    for (byte[] bundle : RowsOfBundles.bundles(points.value(CPU, time, value), KEY_GROUPS)) {
      rollUp.processElement(new StreamRecord<>(bundle));
    }
  }

  private void barrier(int number) throws Exception {
    barrier(number, 0);
  }

  /**
   * @param onTheWay milliseconds from the start of the checkpoint to the barrier
   */
  private void barrier(int number, long onTheWay) throws Exception {
    clock(number * INTERVAL_MS + onTheWay);
    rollUp.prepareSnapshotPreBarrier(number);
    rollUp.snapshot(number, opened + number * INTERVAL_MS);
  }

  private void clock(long sinceOpened) throws Exception {
    rollUp.setProcessingTime(opened + sinceOpened);
  }

  private void watermark(String time) throws Exception {
    rollUp.processWatermark(at(time));
  }

  private List<String> minutes() throws Exception {
    return RowsOfBundles.figures(rollUp.extractOutputValues());
  }

  private List<Long> forwarded() {
    return rollUp.getOutput().stream()
        .filter(Watermark.class::isInstance)
        .map(one -> ((Watermark) one).getTimestamp())
        .toList();
  }

  private List<LateRows> lateRows() {
    Queue<StreamRecord<LateRows>> rows = rollUp.getSideOutput(RollupOperator.LATE_ROWS);
    return rows == null ? List.of() : rows.stream().map(StreamRecord::getValue).toList();
  }
}
