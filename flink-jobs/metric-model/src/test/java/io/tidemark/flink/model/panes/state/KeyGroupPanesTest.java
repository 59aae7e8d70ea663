package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.panes.combine.TestingBundles;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyGroupPanesTest {

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long MINUTE = 60_000;

  private final TestingPanes group = new TestingPanes();

  @Test
  void minutesGoIntoHoursAndHoursIntoDays() {
    group.value("cpu", 10 * MINUTE, 1);
    group.value("cpu", 11 * MINUTE, 2);
    group.value("cpu", HOUR + 1, 4);
    group.watermark(HOUR - 1);

    assertEquals(3, group.added.size(), () -> "two minutes and an hour: " + group.added);
    assertEquals(new TestingPanes.Added(3, 2, 1, 2), group.added.get("cpu HOUR 0"));

    group.watermark(DAY - 1);
    assertEquals(new TestingPanes.Added(7, 3, 1, 4), group.added.get("cpu DAY 0"));
  }

  /** A watermark that jumps over days at once leaves no window to the wall clock. */
  @Test
  void oneJumpCompletesEveryLevel() {
    group.value("cpu", 10, 1);

    group.watermark(3 * DAY);

    assertEquals(3, group.rows);
    assertEquals(Map.of(PaneSink.Cause.COMPLETE, 3), group.causes);
  }

  @Test
  void latePointChangesAllThreeLevels() {
    group.value("cpu", 10, 1);
    group.watermark(DAY + HOUR);
    assertEquals(3, group.rows);

    group.value("cpu", 20, 5);
    group.flush();
    group.clock(7_000);
    assertEquals(4, group.rows, "the minute, after a moment of collecting");
    group.value("cpu", MINUTE, 6);
    group.flush();
    group.clock(7_000);
    group.clock(60_000);
    assertEquals(6, group.rows, "one row for the hour that collected both minutes");
    group.clock(60_000);

    assertEquals(7, group.rows);
    assertEquals(new TestingPanes.Added(6, 2, 1, 5), group.added.get("cpu MINUTE 0"));
    assertEquals(new TestingPanes.Added(12, 3, 1, 6), group.added.get("cpu HOUR 0"));
    assertEquals(new TestingPanes.Added(12, 3, 1, 6), group.added.get("cpu DAY 0"));
  }

  @Test
  void standingWatermarkHoldsNoLevelBackForEver() {
    group.value("cpu", 10, 1);
    group.flush();
    group.clock(75_000);
    assertEquals(1, group.rows);
    group.clock(HOUR + 75_000);
    assertEquals(2, group.rows);
    group.clock(DAY + 75_000);
    assertEquals(3, group.rows);
    assertEquals(Map.of(PaneSink.Cause.OVERDUE, 3), group.causes);
  }

  @Test
  void aMinuteThatWentByTheClockIsOpenedAnew() {
    group.value("cpu", 10, 1);
    group.flush();
    group.clock(75_000);
    group.value("cpu", 20, 2);
    group.watermark(Long.MAX_VALUE);

    assertEquals(new TestingPanes.Added(3, 2, 1, 2), group.added.get("cpu MINUTE 0"));
    assertEquals(new TestingPanes.Added(3, 2, 1, 2), group.added.get("cpu DAY 0"));
  }

  @Test
  void sumsBeyondADoubleAreSplitOnEveryLevel() {
    group.value("cpu", 10, Double.MAX_VALUE);
    group.value("cpu", 20, Double.MAX_VALUE);
    group.value("cpu", 30, -1);
    group.watermark(Long.MAX_VALUE);

    assertEquals(6, group.rows);
    for (RollupLevel level : RollupLevel.values()) {
      assertEquals(3, group.added.get("cpu " + level + " 0").count());
    }
  }

  /** Some have the same way to them, and some are gone while others come. */
  @Test
  void minutesDoNotMixHoweverFarApart() {
    for (int pass = 1; pass <= 2; pass++) {
      for (int minute = 0; minute < 600; minute++) {
        group.value("cpu", minute * MINUTE, minute);
        group.value("memory", (600 - minute) * MINUTE, minute);
        group.flush();
      }
      group.clock(pass * 7_000L);
    }
    group.watermark(Long.MAX_VALUE);

    for (int minute = 0; minute < 600; minute++) {
      assertEquals(
          new TestingPanes.Added(2 * minute, 2, minute, minute),
          group.added.get("cpu MINUTE " + minute * MINUTE));
      assertEquals(2, group.added.get("memory MINUTE " + (600 - minute) * MINUTE).count());
    }
  }

  /** Chunks begin as large as those of the minute before, and grow beyond that. */
  @Test
  void aMinuteMayHaveMoreSeriesThanTheOneBefore() {
    for (int minute = 0; minute < 8; minute++) {
      for (int i = 0; i < 20 * minute; i++) {
        group.value("cpu-" + i, minute * MINUTE, i);
      }
      group.watermark((minute + 1) * MINUTE);
    }
    group.watermark(Long.MAX_VALUE);

    assertEquals(new TestingPanes.Added(7 * 19, 7, 19, 19), group.added.get("cpu-19 DAY 0"));
    assertEquals(new TestingPanes.Added(139, 1, 139, 139), group.added.get("cpu-139 DAY 0"));
  }

  @Test
  void figuresOfAnUnknownSeriesStopTheJob() {
    byte[] bundle = TestingBundles.unannounced(0, 1, 2, 1, 1);

    assertThrows(IllegalStateException.class, () -> group.panes.accept(bundle, 0));
  }

  /** Any order, any lateness, restarts between: the rows add up to the points. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void rowsAddUpInAnyOrder(long seed) {
    Random random = new Random(seed);
    Map<String, TestingPanes.Added> expected = new TreeMap<>();
    long watermark = 10 * HOUR;
    for (int i = 0; i < 20_000; i++) {
      int action = random.nextInt(1000);
      if (action < 960) {
        String name = "cpu-" + random.nextInt(150);
        long late = random.nextInt(20) == 0 ? (long) (random.nextDouble() * 9 * HOUR) : 0;
        long time = watermark - late + random.nextInt(120_000);
        // Whole numbers: their sums are exact in any order.
        double value = random.nextInt(1_000_000) - 500_000;
        group.value(name, time, value);
        PaneAggregate figures = new PaneAggregate().ofValue(value, time);
        for (RollupLevel level : RollupLevel.values()) {
          expected.merge(
              name + " " + level + " " + level.windowOf(time),
              TestingPanes.NOTHING.plus(figures),
              (left, right) ->
                  new TestingPanes.Added(
                      left.sum() + right.sum(),
                      left.count() + right.count(),
                      Math.min(left.min(), right.min()),
                      Math.max(left.max(), right.max())));
        }
      } else if (action < 980) {
        watermark += random.nextInt(10 * 60_000);
        if (random.nextBoolean()) {
          group.watermark(watermark);
        } else {
          group.passes(watermark);
        }
      } else if (action < 990) {
        group.clock(random.nextInt(20_000));
      } else if (action < 995) {
        group.saveAhead(random.nextInt(20));
      } else if (action < 998) {
        group.save();
      } else {
        group.save();
        group.restart();
      }
    }
    group.watermark(Long.MAX_VALUE);

    assertEquals(expected, group.added);
    group.clock(PaneTiming.DEFAULT.patience().toMillis());
    group.clock(Duration.ofHours(3).toMillis());
    group.save();
    assertTrue(group.panes.isEmpty());
    assertEquals(Map.of(), group.stored);
  }

  /** Running totals in any order within the minute, restarts between. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void readingsAddUpOverRestarts(long seed) {
    Random random = new Random(seed);
    long time = HOUR;
    double[] totals = new double[80];
    for (int minute = 0; minute < 30; minute++) {
      for (int i = 0; i < totals.length; i++) {
        double before = totals[i];
        totals[i] += random.nextInt(1000);
        double middle = before + random.nextInt((int) (totals[i] - before) + 1);
        group.total("bytes-" + i, HOUR - 1, time + 40_000, totals[i]);
        group.total("bytes-" + i, HOUR - 1, time + 20_000, middle);
      }
      if (random.nextInt(3) == 0) {
        group.save();
        group.restart();
      }
      time += MINUTE;
      group.watermark(time);
      if (random.nextInt(3) == 0) {
        group.save();
        group.restart();
      }
    }
    group.watermark(Long.MAX_VALUE);

    for (int i = 0; i < totals.length; i++) {
      assertEquals(totals[i], group.added.get("bytes-" + i + " DAY 0").sum());
      assertEquals(60, group.added.get("bytes-" + i + " DAY 0").count());
    }
    assertEquals(0, group.setAside.size());
  }
}
