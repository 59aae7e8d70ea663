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
    assertEquals(late, PaneTiming.isLate(MINUTE, MINUTE + watermarkOffset));
  }

  @Test
  void nothingIsLateBeforeTheFirstWatermark() {
    assertEquals(false, PaneTiming.isLate(0, Long.MIN_VALUE));
  }

  @Test
  void panesGoOutByTheWallClockAtTheLatest() {
    assertEquals(
        75_000 + 5_000, PaneTiming.DEFAULT.emitAt(MINUTE, MINUTE, 5_999), "on time: patience");
    assertEquals(
        7_000 + 5_000,
        PaneTiming.DEFAULT.emitAt(MINUTE, MINUTE + 60_000, 5_999),
        "late: coalescing");
  }

  @ParameterizedTest
  @CsvSource({"0,0", "59999999999,0", "60000000000,60000", "-1,-60000"})
  void minutesStartOnTheGrid(long nanos, long minute) {
    assertEquals(minute, MinuteGrid.minuteOf(nanos));
  }
}
