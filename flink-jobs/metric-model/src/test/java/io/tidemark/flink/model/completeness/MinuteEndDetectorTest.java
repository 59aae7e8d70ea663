package io.tidemark.flink.model.completeness;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MinuteEndDetectorTest {

  private static final long NOW = 1_000_000_000L;

  private final MinuteEndDetector ends = new MinuteEndDetector();

  @Test
  void eachEndIsToldOnce() {
    assertTrue(ends.isPassed(120_000, NOW));
    assertFalse(ends.isPassed(120_001, NOW + 30_000));
    assertFalse(ends.isPassed(179_999, NOW + 59_999));
    assertTrue(ends.isPassed(180_000, NOW + 60_000));
    assertFalse(ends.isPassed(180_000, NOW + 120_000));
  }

  @Test
  void whoCatchesUpIsToldSeldom() {
    int told = 0;
    for (int minute = 0; minute < 1_000; minute++) {
      told += ends.isPassed(minute * 60_000L, NOW + minute * 100L) ? 1 : 0;
    }
    assertTrue(told == 5, "in 100 s: " + told);
  }

  @Test
  void anEndThatWasPassedTooSoonIsToldLater() {
    assertTrue(ends.isPassed(120_000, NOW));
    assertFalse(ends.isPassed(180_000, NOW + 1_000));
    assertTrue(ends.isPassed(180_001, NOW + MinuteEndDetector.MIN_APART_MS));
  }
}
