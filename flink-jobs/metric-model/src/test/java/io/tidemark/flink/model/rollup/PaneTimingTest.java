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
    assertEquals(75_000 + 5_000, timing.emitAt(RollupLevel.MINUTE, false, 5_999), "patience");
    assertEquals(7_000 + 5_000, timing.emitAt(RollupLevel.MINUTE, true, 5_999), "coalescing");
    assertEquals(60_000 + 5_000, timing.emitAt(RollupLevel.HOUR, true, 5_999), "coalescing");
    assertEquals(
        3_600_000 + 75_000 + 5_000, timing.emitAt(RollupLevel.HOUR, false, 5_999), "patience");
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
