package io.tidemark.flink.model.panes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is seen of a minute before it is complete. */
class OpenMinutesTest {

  private static final long MINUTE = 1_772_323_200_000L;

  private final TestingPanes testing = new TestingPanes();
  private final Seen seen = new Seen();

  @BeforeEach
  void watch() {
    testing.now = MINUTE + 5_000;
    testing.panes.snapshotsTo(seen);
  }

  @Test
  void laterCellsReplaceEarlierOnes() {
    testing.value("cpu", MINUTE + 1_000, 3);
    second();
    testing.value("cpu", MINUTE + 2_000, 4);
    testing.value("disk", MINUTE + 2_000, 1);
    second();
    second();

    assertEquals(List.of("cpu 3.0/1 described", "cpu 7.0/2", "disk 1.0/1 described"), seen.cells);
  }

  /** What came after the last second's cells is sent when the minute goes. */
  @Test
  void lastCellEqualsTheRow() {
    testing.value("cpu", MINUTE + 1_000, 3);
    second();
    testing.value("cpu", MINUTE + 59_000, 4);
    testing.now = MINUTE + 64_000;
    testing.watermark(MINUTE + 60_000);

    assertEquals("cpu 7.0/2", seen.cells.get(seen.cells.size() - 1));
    assertEquals(7, testing.added.get("cpu " + RollupLevel.MINUTE + " " + MINUTE).sum());
  }

  @Test
  void everyMinuteDescribesItsSeries() {
    testing.value("cpu", MINUTE + 1_000, 3);
    testing.value("cpu", MINUTE + 60_000, 4);
    second();

    assertEquals(List.of("cpu 3.0/1 described", "cpu 4.0/1 described"), seen.cells);
  }

  @Test
  void lateAndOldMinutesAreNotSent() {
    testing.watermark(MINUTE - 1);
    testing.value("late", MINUTE - 1_000, 3);
    testing.value("open", MINUTE + 1_000, 3);
    second();
    testing.now = MINUTE + 75_000;
    testing.value("open", MINUTE + 2_000, 3);
    second();

    assertEquals(List.of("open 3.0/1 described"), seen.cells);
  }

  @Test
  void everythingIsSentAndDescribedAgainAfterARestart() {
    testing.value("cpu", MINUTE + 1_000, 3);
    second();
    testing.save();
    testing.restart();
    testing.panes.snapshotsTo(seen);
    second();

    assertEquals(List.of("cpu 3.0/1 described", "cpu 3.0/1 described"), seen.cells);
  }

  @Test
  void whatFoundNoRoomIsCountedAndSentLater() {
    for (int i = 0; i < 5; i++) {
      testing.value("cpu-" + i, MINUTE + 1_000, i);
    }
    seen.room = 2;
    second();
    assertEquals(2, seen.cells.size());
    assertEquals(3, seen.leftOut);
    seen.room = 10;
    second();

    assertEquals(5, seen.cells.stream().distinct().count());
    assertEquals(5, seen.cells.size());
  }

  private void second() {
    testing.flush();
    testing.panes.snapshot(testing.now);
  }

  private static final class Seen implements OpenMinutes {
    final List<String> cells = new ArrayList<>();
    int room = 1_000;
    int leftOut;

    @Override
    public boolean hasRoom() {
      return room > 0;
    }

    @Override
    public void cell(long minute, RolledSeries series, Figures figures, boolean isFirst) {
      room--;
      cells.add(
          series.descriptor().metric()
              + " "
              + figures.sum
              + "/"
              + figures.count
              + (isFirst ? " described" : ""));
    }

    @Override
    public void leftOut(int count) {
      leftOut += count;
    }
  }
}
