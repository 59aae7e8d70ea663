package io.tidemark.flink.rollup.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CheckpointForecastTest {

  private final CheckpointForecast next = new CheckpointForecast(0, 0);

  @Test
  void isNearWhileNothingIsKnown() {
    assertTrue(next.isNear(1_000_000));
    next.came(1_000_000, 1_000_010);
    assertTrue(next.isNear(1_000_010));
  }

  @Test
  void isForeseenFromTheStartWhenTheIntervalIsKnown() {
    CheckpointForecast first = new CheckpointForecast(5_000, 1_000);

    assertTrue(first.isForeseen(5_999));
    assertFalse(first.isForeseen(6_000));
    assertFalse(next.isForeseen(0));
    first.came(6_000, 6_010);
    assertEquals(11_010, first.expectedAt());
  }

  /** Otherwise a barrier that waited for rows would be the measure of when the next ones go. */
  @Test
  void rowsAreDueWhenItStarts() {
    CheckpointForecast first = new CheckpointForecast(5_000, 1_000);
    assertEquals(6_000, first.rowsDueAt());

    first.came(6_000, 7_200);
    assertEquals(12_200, first.expectedAt());
    assertEquals(11_000, first.rowsDueAt());
  }

  @Test
  void rowsAreDueWithTheBarrierWhenItSeemsToComeBeforeItsStart() {
    CheckpointForecast behind = new CheckpointForecast(5_000, 1_000);
    behind.came(8_000, 6_010);

    assertEquals(11_010, behind.expectedAt());
    assertEquals(11_010, behind.rowsDueAt());
  }

  @Test
  void isExpectedAsLongAfterTheLastAsThatCameAfterTheOneBefore() {
    next.came(0, 10);
    next.came(5_000, 5_010);

    assertEquals(10_010, next.expectedAt());
    assertFalse(next.isNear(8_000));
    assertTrue(next.isNear(8_400));
  }

  /** A long call held the barrier up: checkpoints start by the clock all the same. */
  @Test
  void aBarrierThatWasHeldUpDoesNotDelayTheNext() {
    next.came(0, 10);
    next.came(5_000, 5_010);
    next.came(10_000, 13_500);

    assertEquals(15_010, next.expectedAt());
    assertTrue(next.isNear(13_500));
  }

  @Test
  void aCheckpointThatStartedLateDoesNotDelayTheNext() {
    next.came(0, 10);
    next.came(5_000, 5_010);
    next.came(14_000, 14_010);

    assertEquals(19_010, next.expectedAt());
  }

  @Test
  void clocksNeedNotAgree() {
    next.came(1_000_000, 10);
    next.came(1_005_000, 5_010);

    assertEquals(10_010, next.expectedAt());
  }
}
