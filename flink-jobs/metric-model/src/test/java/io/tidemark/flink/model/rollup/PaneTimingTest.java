package io.tidemark.flink.model.rollup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaneTimingTest {

  private static final long MINUTE = 1_772_323_200_000L;

  @ParameterizedTest
  @CsvSource({"-1,false", "59998,false", "59999,true", "60000,true"})
  void minuteIsLateOnceTheWatermarkCompletedIt(long watermarkOffset, boolean late) {
    assertEquals(late, PaneTiming.isLate(RollupLevel.MINUTE, MINUTE, MINUTE + watermarkOffset));
  }

  @Test
  void nothingIsLateBeforeTheFirstWatermark() {
    assertEquals(false, PaneTiming.isLate(RollupLevel.DAY, 0, Long.MIN_VALUE));
  }

  @Test
  void panesGoOutByTheWallClockAtTheLatest() {
    PaneTiming timing = PaneTiming.DEFAULT;
    assertEquals(75_000 + 5_000, timing.emitAt(RollupLevel.MINUTE, 0, false, 5_999), "patience");
    assertEquals(7_000 + 5_000, timing.emitAt(RollupLevel.MINUTE, 0, true, 5_999), "coalescing");
    assertEquals(60_000 + 5_000, timing.emitAt(RollupLevel.HOUR, 0, true, 5_999), "coalescing");
    assertEquals(
        3_600_000 + 75_000 + 5_000, timing.emitAt(RollupLevel.HOUR, 0, false, 5_999), "patience");
  }

  /**
   * A sender's clock runs ahead: its minute is still to come, and rows of it would be too early.
   */
  @Test
  void panesOfWindowsAheadWaitForThem() {
    PaneTiming timing = PaneTiming.DEFAULT;
    assertEquals(MINUTE + 75_000, timing.emitAt(RollupLevel.MINUTE, MINUTE, false, MINUTE - 1));
    assertEquals(
        MINUTE + 3_675_000, timing.emitAt(RollupLevel.HOUR, MINUTE, false, MINUTE - 600_000));
  }

  /** Whatever is emitted by the wall clock is emitted after the pane has stopped being whole. */
  @ParameterizedTest
  @CsvSource({"-600000", "-1", "0", "30000", "74999"})
  void noPaneIsEmittedByTheClockWhileItIsWhole(long opened) {
    PaneTiming timing = PaneTiming.DEFAULT;
    long emitted = timing.emitAt(RollupLevel.MINUTE, MINUTE, false, MINUTE + opened);
    assertEquals(true, timing.isWhole(MINUTE, MINUTE + opened));
    assertEquals(false, timing.isWhole(MINUTE, emitted));
  }

  @ParameterizedTest
  @CsvSource({"0,0", "59999999999,0", "60000000000,60000", "-1,-60000"})
  void minutesStartOnTheGrid(long nanos, long minute) {
    assertEquals(minute, MinuteGrid.minuteOf(nanos));
  }

  @Test
  void everyLevelLiesOnItsOwnGrid() {
    long time = MINUTE + 3_599_999;
    assertEquals(MINUTE, RollupLevel.HOUR.windowOf(time));
    assertEquals(MINUTE, RollupLevel.DAY.windowOf(time));
    assertEquals(MINUTE + 86_400_000 - 1, RollupLevel.DAY.lastInstantOf(MINUTE));
    assertEquals(-86_400_000, RollupLevel.DAY.windowOf(-1));
    assertEquals(RollupLevel.DAY, RollupLevel.HOUR.coarser());
  }
}
