package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LateCellsTest {

  private static final long MINUTE = 60_000;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private static final int SERIES_OF_BACKLOG = KeyGroupPanes.BACKLOG + 1;

  private final TestingPanes group = new TestingPanes();

  @BeforeEach
  void passTenMinutes() {
    group.watermark(10 * MINUTE);
  }

  /** Senders that were away send six points of a minute, over several steps of the watermark. */
  @Test
  void pointsOfACellMakeOneRowBetweenBarriers() {
    for (int i = 0; i < 6; i++) {
      group.value("cpu", i * 10_000, i);
      group.value("cpu", MINUTE + i * 10_000, 10 + i);
      group.value("now", (10 + i) * MINUTE, 1);
      group.watermark((11 + i) * MINUTE);
    }
    assertEquals(Map.of(PaneSink.Cause.COMPLETE, 6), group.causes, "late ones wait");

    group.save();

    assertEquals(6 + 2, group.rows);
    assertEquals(new TestingPanes.Added(15, 6, 0, 5), group.added.get("cpu MINUTE 0"));
    assertEquals(new TestingPanes.Added(75, 6, 10, 15), group.added.get("cpu MINUTE 60000"));
  }

  @Test
  void rowsOfOneSeriesFollowEachOtherInTheOrderOfTheirTimes() {
    group.value("cpu", 3 * MINUTE, 1);
    group.value("disk", 3 * MINUTE, 1);
    group.flush();
    group.value("cpu", MINUTE, 1);
    group.flush();
    group.value("disk", MINUTE, 1);
    group.value("cpu", 3 * MINUTE, 1);

    group.save();

    assertEquals(
        List.of("cpu MINUTE 60000", "cpu MINUTE 180000", "disk MINUTE 60000", "disk MINUTE 180000"),
        group.inOrder);
  }

  /** Or the hour would have a second row for what was here before its end. */
  @Test
  void lateMinutesGoBeforeTheirHourIsComplete() {
    group.value("cpu", 30 * MINUTE, 1);
    group.value("cpu", MINUTE, 2);
    group.watermark(HOUR - 1);

    assertEquals(1, group.inOrder.stream().filter("cpu HOUR 0"::equals).count());
    assertEquals(3, group.added.get("cpu HOUR 0").sum());
  }

  @Test
  void noMoreWaitThanThereIsRoomFor() {
    for (int i = 0; i < LateCells.MAX + 1; i++) {
      group.value("cpu-" + i, 10, i);
    }
    group.flush();

    assertEquals(LateCells.MAX, group.rows);

    group.save();
    for (int i = 0; i < LateCells.MAX + 1; i++) {
      assertEquals(i, group.added.get("cpu-" + i + " MINUTE 0").sum());
    }
  }

  /** A backlog brings more figures than there is room for, and they are of few cells. */
  @Test
  void figuresOfOneCellTakeNoRoomOfAnother() {
    for (int i = 0; i < 3 * LateCells.MAX; i++) {
      group.value("cpu-" + i % 1_000, 10, i / 1_000);
      group.flush();
    }
    assertEquals(0, group.rows, "they wait for the barrier");

    group.clock(5_000);
    group.save();

    assertEquals(1_000, group.rows);
    assertEquals(new TestingPanes.Added(66 + 12, 13, 0, 12), group.added.get("cpu-0 MINUTE 0"));
    assertEquals(new TestingPanes.Added(66, 12, 0, 11), group.added.get("cpu-999 MINUTE 0"));
    assertTrue(group.panes.late.isEmpty());
  }

  @Test
  void whatIsCombinedToMakeRoomKeepsBucketsAndSumsBeyondADouble() {
    for (int i = 0; i < LateCells.MAX / 2 + 1; i++) {
      Distribution one = new Distribution();
      one.append(i % 2, 1);
      group.observations("latency", 10, 1, one);
      group.value("cpu", 10, i < 3 ? Double.MAX_VALUE : 0);
      group.flush();
    }
    assertEquals(0, group.rows);

    group.save();

    assertEquals(4, minutes());
    assertEquals(LateCells.MAX / 2 + 1, group.added.get("cpu MINUTE 0").count());
    Distribution expected = new Distribution();
    expected.append(0, LateCells.MAX / 4 + 1);
    expected.append(1, LateCells.MAX / 4);
    assertEquals(expected, group.distributions.get("latency MINUTE 0"));
  }

  @Test
  void sumsBeyondADoubleAreRowsOfTheirOwn() {
    for (int i = 0; i < 3; i++) {
      group.value("cpu", 10, Double.MAX_VALUE);
      group.flush();
    }
    group.value("disk", 10, 1);

    group.save();

    // Pane numbers are checked by the receiver: none comes twice.
    assertEquals(4, minutes());
    assertEquals(3, group.added.get("cpu MINUTE 0").count());
  }

  @Test
  void bucketsAddUp() {
    for (int i = 1; i <= 3; i++) {
      Distribution one = new Distribution();
      one.append(i % 2, i);
      group.observations("latency", 10, i, one);
      group.value("cpu", 10, i);
      group.flush();
    }

    group.save();

    assertEquals(2, group.rows);
    Distribution expected = new Distribution();
    expected.append(0, 2);
    expected.append(1, 4);
    assertEquals(expected, group.distributions.get("latency MINUTE 0"));
    assertTrue(group.panes.late.isEmpty());
  }

  /** Each barrier falls into the minutes that a catching-up sender is at. */
  @Test
  void aBacklogMakesOneRowOfAMinuteThatABarrierFallsInto() {
    pointsOfABacklog(1, 0);
    group.clock(4_000);
    pointsOfABacklog(2, 0);
    group.save();
    assertEquals(SERIES_OF_BACKLOG, minutes(), "the minute that no more comes of");

    group.clock(1_000);
    pointsOfABacklog(2, 30_000);
    group.clock(4_000);
    pointsOfABacklog(3, 0);
    group.save();
    assertEquals(2 * SERIES_OF_BACKLOG, minutes(), "nor more of this one");

    group.clock(5_000);
    group.save();
    assertEquals(3 * SERIES_OF_BACKLOG, minutes());
    assertEquals(new TestingPanes.Added(2, 2, 1, 1), group.added.get("cpu-7 MINUTE " + 2 * MINUTE));
    assertTrue(group.stored.keySet().stream().noneMatch(LateCellsTest::isMinute));
    assertTrue(group.panes.late.isEmpty());
  }

  @Test
  void aRestartKeepsWhatABacklogHolds() {
    pointsOfABacklog(2, 0);
    group.save();
    assertEquals(0, minutes());

    group.restart();
    group.watermark(10 * MINUTE);
    pointsOfABacklog(2, 30_000);
    group.clock(5_000);
    group.save();
    group.save();

    for (int i = 0; i < SERIES_OF_BACKLOG; i++) {
      assertEquals(
          new TestingPanes.Added(2, 2, 1, 1),
          group.added.get("cpu-" + i + " MINUTE " + 2 * MINUTE));
    }
    assertTrue(group.stored.keySet().stream().noneMatch(LateCellsTest::isMinute));
  }

  /** A sender whose points are late all the time makes nobody wait. */
  @Test
  void fewLateFiguresGoWithTheNextBarrier() {
    for (int i = 0; i < KeyGroupPanes.BACKLOG; i++) {
      group.value("cpu-" + i, 10, 1);
    }
    group.save();

    assertEquals(KeyGroupPanes.BACKLOG, minutes());
  }

  /** Otherwise a minute that is never whole would be held for ever. */
  @Test
  void aMinuteOfABacklogGoesWhenItWasHeldForLong() {
    for (int i = 0; i < 4; i++) {
      pointsOfABacklog(2, 10_000 * i);
      group.clock(2_500);
      pointsOfABacklog(2, 10_000 * i + 5_000);
      group.save();
      group.clock(2_500);
    }

    assertTrue(minutes() >= SERIES_OF_BACKLOG);
  }

  /** Or the hour would have a second row for what was here before its end. */
  @Test
  void minutesOfABacklogGoBeforeTheirHourIsComplete() {
    group.value("cpu-7", 30 * MINUTE, 1);
    group.watermark(40 * MINUTE);
    pointsOfABacklog(2, 0);
    group.save();
    group.watermark(HOUR - 1);

    assertEquals(1, group.inOrder.stream().filter("cpu-7 HOUR 0"::equals).count());
    assertEquals(2, group.added.get("cpu-7 HOUR 0").sum());
  }

  private void pointsOfABacklog(int minute, long after) {
    for (int i = 0; i < SERIES_OF_BACKLOG; i++) {
      group.value("cpu-" + i, minute * MINUTE + after, 1);
    }
    group.flush();
  }

  private static boolean isMinute(long key) {
    return ChunkKey.kind(key) == RollupLevel.MINUTE.ordinal();
  }

  private long minutes() {
    return group.inOrder.stream().filter(row -> row.contains("MINUTE")).count();
  }
}
