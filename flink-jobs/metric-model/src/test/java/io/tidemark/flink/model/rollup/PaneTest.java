package io.tidemark.flink.model.rollup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.point.SourcePosition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PaneTest {

  private static final SourcePosition FIRST = new SourcePosition(1, 2, 3);

  private static Pane open() {
    return Pane.open(FIRST, 42);
  }

  @Test
  void valuesAddUp() {
    Pane pane =
        open()
            .plus(Contribution.ofValue(3), 10)
            .plus(Contribution.ofValue(-1), 30)
            .plus(Contribution.ofValue(7), 20);

    assertEquals(9, pane.sum());
    assertEquals(3, pane.count());
    assertEquals(-1, pane.min());
    assertEquals(7, pane.max());
    assertEquals(-1, pane.last(), "the latest by point time, not by arrival");
    assertEquals(30, pane.lastTimeUnixNano());
    assertEquals(3, pane.contributions());
    assertEquals(FIRST, pane.first());
    assertEquals(42, pane.emitAt());
  }

  @Test
  void observationsHaveNoLastAndMayLackFigures() {
    Pane pane =
        open()
            .plus(Contribution.ofObservations(4, Double.NaN, 1, Double.NaN), 10)
            .plus(Contribution.ofObservations(6, 12, Double.NaN, 9), 20);

    assertEquals(12, pane.sum());
    assertEquals(10, pane.count());
    assertEquals(1, pane.min());
    assertEquals(9, pane.max());
    assertFalse(Contribution.isPresent(pane.last()));
  }

  @Test
  void negativeZeroIsZero() {
    Pane pane = open().plus(Contribution.ofValue(-0.0), 10);

    assertEquals(0, Double.compare(0.0, pane.sum()));
    assertEquals(0, Double.compare(0.0, pane.min()));
    assertEquals(0, Double.compare(0.0, pane.last()));
  }

  @Test
  void ofEqualTimesTheLaterArrivalIsLast() {
    Pane pane = open().plus(Contribution.ofValue(1), 10).plus(Contribution.ofValue(2), 10);

    assertEquals(2, pane.last());
  }

  @Test
  void fullPanesSaySo() {
    Pane large = open().plus(Contribution.ofValue(Double.MAX_VALUE), 1);
    Pane many = open().plus(Contribution.ofObservations(Long.MAX_VALUE, 0, 0, 0), 1);

    assertFalse(large.hasRoomFor(Contribution.ofValue(Double.MAX_VALUE)));
    assertTrue(large.hasRoomFor(Contribution.ofValue(-1)));
    assertFalse(many.hasRoomFor(Contribution.ofValue(1)));
    assertTrue(open().hasRoomFor(Contribution.ofValue(Double.MAX_VALUE)));
  }

  @Test
  void reopenedPaneKeepsItsTimeAndItsWaitingReadings() {
    SourcePosition next = new SourcePosition(9, 9, 9);
    Pane pane = open().withPendingReading().plus(Contribution.ofValue(1), 1).reopened(next);

    assertEquals(open().withPendingReading().emitAt(), pane.emitAt());
    assertEquals(1, pane.pendingReadings());
    assertEquals(0, pane.contributions());
    assertEquals(next, pane.first());
    assertFalse(Contribution.isPresent(pane.sum()));
  }

  /** Whole numbers, any order, any split into two panes: the same figures. */
  @Test
  void orderAndSplitDoNotMatter() {
    Random random = new Random(20260301);
    for (int round = 0; round < 200; round++) {
      List<Integer> times = new ArrayList<>();
      for (int time = 0; time < 12; time++) {
        times.add(time);
      }
      Collections.shuffle(times, random);
      Pane whole = open();
      Pane left = open();
      Pane right = open();
      for (int time : times) {
        Contribution value = Contribution.ofValue((time * 37) % 11 - 5);
        whole = whole.plus(value, time);
        if (random.nextBoolean()) {
          left = left.plus(value, time);
        } else {
          right = right.plus(value, time);
        }
      }
      assertEquals(11, whole.lastTimeUnixNano());
      assertEquals(407 % 11 - 5, whole.last());
      assertEquals(whole.count(), left.count() + right.count());
      double sums = (left.count() == 0 ? 0 : left.sum()) + (right.count() == 0 ? 0 : right.sum());
      assertEquals(whole.sum(), sums);
    }
  }
}
