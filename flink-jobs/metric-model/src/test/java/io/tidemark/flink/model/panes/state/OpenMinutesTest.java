package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is seen of a minute before it is complete. */
class OpenMinutesTest {

  private static final long MINUTE = 1_772_323_200_000L;

  private final TestingPanes testing = new TestingPanes();
  private final RecordingOpenMinutes seen = new RecordingOpenMinutes();

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

  /** The minute is open, so none of its readings is used yet. */
  @Test
  void readingsAreShownAsWhatTheyAddSoFar() {
    testing.total("bytes", MINUTE - 60_000, MINUTE + 1_000, 40);
    second();
    testing.total("bytes", MINUTE - 60_000, MINUTE + 31_000, 60);
    second();
    second();

    assertEquals(List.of("bytes 40.0/1 described", "bytes 60.0/2"), seen.cells);
  }

  @Test
  void readingOutOfOrderChangesItsMinuteAndTheNext() {
    testing.total("bytes", MINUTE - 60_000, MINUTE + 1_000, 40);
    testing.total("bytes", MINUTE - 60_000, MINUTE + 61_000, 75);
    second();
    testing.total("bytes", MINUTE - 60_000, MINUTE + 51_000, 70);
    second();

    assertEquals(
        List.of("bytes 40.0/1 described", "bytes 35.0/1 described", "bytes 70.0/2", "bytes 5.0/1"),
        seen.cells);
  }

  /** Nothing is sent again when the minute goes and adds what was foreseen. */
  @Test
  void lastCellOfReadingsEqualsTheRow() {
    testing.total("bytes", MINUTE - 60_000, MINUTE + 1_000, 40);
    testing.total("seen", MINUTE - 60_000, MINUTE + 2_000, 7);
    second();
    testing.total("bytes", MINUTE - 60_000, MINUTE + 59_000, 70);
    testing.now = MINUTE + 64_000;
    testing.watermark(MINUTE + 60_000);

    assertEquals(
        List.of("bytes 40.0/1 described", "seen 7.0/1 described", "bytes 70.0/2"), seen.cells);
    assertEquals(70, testing.added.get("bytes MINUTE " + MINUTE).sum());
    assertEquals(7, testing.added.get("seen MINUTE " + MINUTE).sum());
    assertEquals(2, testing.rows);
  }

  /** A difference to a total that an earlier minute used, and buckets with it. */
  @Test
  void bucketsOfReadingsAreDifferences() {
    testing.totalObservations("ms", MINUTE - 70_000, MINUTE - 5_000, 10, 2, buckets(5, 2));
    testing.watermark(MINUTE - 1);
    testing.totalObservations("ms", MINUTE - 70_000, MINUTE + 5_000, 16, 5, buckets(5, 3, 9, 2));
    second();
    testing.now = MINUTE + 64_000;
    testing.watermark(MINUTE + 60_000);

    assertEquals(List.of("ms 10.0/2 5:2 described", "ms 6.0/3 5:1 9:2 described"), seen.cells);
    assertEquals(buckets(5, 1, 9, 2), testing.distributions.get("ms MINUTE " + MINUTE));
  }

  @Test
  void bucketsOfObservationsAreSent() {
    testing.observations("ms", MINUTE + 1_000, 9, buckets(5, 3));
    second();
    testing.observations("ms", MINUTE + 2_000, 4, buckets(5, 1, 6, 1));
    second();

    assertEquals(List.of("ms 9.0/3 5:3 described", "ms 13.0/5 5:4 6:1"), seen.cells);
  }

  /** The later life is in the earlier minute: the total shown before belongs to an old process. */
  @Test
  void whatWasForeseenAndDoesNotComeIsTakenBack() {
    testing.total("bytes", MINUTE - 60_000, MINUTE + 61_000, 40);
    second();
    testing.total("bytes", MINUTE - 10_000, MINUTE + 1_000, 3);
    second();
    testing.now = MINUTE + 124_000;
    testing.watermark(MINUTE + 120_000);

    assertEquals(
        List.of("bytes 40.0/1 described", "bytes 3.0/1 described", "bytes NaN/0"),
        seen.cells.subList(0, 3));
    assertEquals(null, testing.added.get("bytes MINUTE " + (MINUTE + 60_000)));
    assertEquals(List.of("CUMULATIVE_OUT_OF_ORDER " + (MINUTE + 61_000)), testing.setAside);
  }

  /** The row is out: a correction of it is another row, and no cell. */
  @Test
  void nothingIsShownOfAMinuteThatWent() {
    testing.total("bytes", MINUTE - 60_000, MINUTE + 1_000, 40);
    testing.watermark(MINUTE + 60_000);
    int cells = seen.cells.size();
    testing.total("bytes", MINUTE - 60_000, MINUTE + 31_000, 60);
    testing.value("cpu", MINUTE + 31_000, 1);
    second();
    testing.clock(7_000);
    second();

    assertEquals(cells, seen.cells.size(), seen.cells::toString);
    assertEquals(60, testing.added.get("bytes MINUTE " + MINUTE).sum());
  }

  /** One overflow series stands for many totals: its cell is the sum of what all of them add. */
  @Test
  void readingsOfFoldedSeriesAreShownInTheirOverflowSeries() {
    testing.limits = new TenantLimits(1, 100, 10, 10, 100);
    for (int i = 0; i < 4; i++) {
      testing.total("req#" + i, MINUTE - 60_000, MINUTE + 1_000 + i, 10);
    }
    second();
    testing.total("req#3", MINUTE - 60_000, MINUTE + 31_000, 15);
    second();
    testing.now = MINUTE + 64_000;
    testing.watermark(MINUTE + 60_000);

    assertEquals(
        List.of("req 10.0/1 described", "req 30.0/3 described", "req 35.0/4"),
        seen.cells.stream().distinct().toList());
    assertEquals(45, testing.added.get("req MINUTE " + MINUTE).sum());
  }

  /** What they add is reckoned over all that are folded into them: once a second is enough. */
  @Test
  void overflowSeriesWaitForTheSecond() {
    testing.limits = new TenantLimits(1, 100, 10, 10, 100);
    for (int i = 0; i < 3; i++) {
      testing.total("req#" + i, MINUTE - 60_000, MINUTE + 1_000 + i, 10);
    }
    testing.flush();
    testing.panes.snapshotSoon(testing.now);
    assertEquals(List.of("req 10.0/1 described"), seen.cells);

    second();

    assertEquals(List.of("req 10.0/1 described", "req 20.0/2 described"), seen.cells);
  }

  @Test
  void waitingReadingsAreShownAfterARestart() {
    testing.total("bytes", MINUTE - 60_000, MINUTE + 1_000, 40);
    testing.save();
    testing.restart();
    testing.panes.snapshotsTo(seen);
    second();

    assertEquals(List.of("bytes 40.0/1 described"), seen.cells);
  }

  @Test
  void readingsWithoutRoomAreCountedAndSentLater() {
    for (int i = 0; i < 5; i++) {
      testing.total("bytes-" + i, MINUTE - 60_000, MINUTE + 1_000, i + 1);
    }
    seen.room = 2;
    second();
    assertEquals(3, seen.leftOut);
    seen.room = 10;
    second();

    assertEquals(5, seen.cells.stream().distinct().count());
    assertEquals(5, seen.cells.size());
  }

  /** Of places and counts. */
  private static Distribution buckets(int... buckets) {
    Distribution distribution = new Distribution();
    for (int i = 0; i < buckets.length; i += 2) {
      distribution.append(buckets[i], buckets[i + 1]);
    }
    return distribution;
  }

  private void second() {
    testing.flush();
    testing.panes.snapshot(testing.now);
  }

  private static final class RecordingOpenMinutes implements OpenMinutes {
    final List<String> cells = new ArrayList<>();
    int room = 1_000;
    int leftOut;

    @Override
    public boolean hasRoom() {
      return room > 0;
    }

    @Override
    public void cell(long minute, SeriesState series, PaneAggregate figures, boolean isFirst) {
      room--;
      cells.add(
          series.descriptor().metric()
              + " "
              + figures.sum
              + "/"
              + figures.count
              + text(figures.distribution)
              + (isFirst ? " described" : ""));
    }

    private static String text(@Nullable Distribution distribution) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; distribution != null && i < distribution.size(); i++) {
        text.append(" ").append(distribution.bucket(i)).append(":").append(distribution.count(i));
      }
      return text.toString();
    }

    @Override
    public void leftOut(int count) {
      leftOut += count;
    }
  }
}
