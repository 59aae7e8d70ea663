package io.tidemark.flink.model.panes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.rollup.RollupLevel;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How much a key group holds at the most, and that it lets go of all of it. */
class PaneReleaseTest {

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long MINUTE = 60_000;

  private final TestingPanes group = new TestingPanes();

  /** One sender, a value in every minute of a month: few of them stay open. */
  @Test
  void openMinutesAreBounded() {
    int month = 31 * 24 * 60;
    for (int minute = 0; minute < month; minute++) {
      group.value("cpu", minute * MINUTE, 1);
      if (minute % 500 == 0) {
        group.flush();
        assertTrue(group.panes.open.get(0).size() <= KeyGroupPanes.MAX_WINDOWS);
      }
    }
    group.watermark(Long.MAX_VALUE);

    assertEquals(31, group.added.keySet().stream().filter(k -> k.contains("DAY")).count());
    assertEquals(24 * 60, group.added.get("cpu DAY 0").count());
  }

  /** A value in every hour of four years, by the clock of one moment. */
  @Test
  void openHoursAndDaysAreBounded() {
    int hours = 4 * 365 * 24;
    for (int hour = 0; hour < hours; hour++) {
      group.value("cpu", hour * HOUR, 1);
      if (hour % 500 == 0) {
        group.clock(1);
        for (var level : group.panes.open) {
          assertTrue(level.size() <= KeyGroupPanes.MAX_WINDOWS);
        }
      }
    }
    group.watermark(Long.MAX_VALUE);

    assertEquals(4 * 365, group.added.keySet().stream().filter(k -> k.contains("DAY")).count());
    assertEquals(24, group.added.get("cpu DAY 0").count());
    assertEquals(1, group.added.get("cpu HOUR 0").count());
  }

  /** What a point of 400 days ago costs: one cell on each level, for two minutes. */
  @Test
  void veryLatePointChangesAllLevelsAndIsReleased() {
    group.watermark(400 * DAY);
    int before = group.rows;
    group.value("cpu", 10, 5);
    group.save();
    assertEquals(3, group.stored.size(), "a cell, its descriptor and the pane number");

    group.clock(7_000);
    group.clock(60_000);
    group.clock(60_000);
    group.save();

    assertEquals(before + 3, group.rows);
    for (RollupLevel level : RollupLevel.values()) {
      assertEquals(new TestingPanes.Added(5, 1, 5, 5), group.added.get("cpu " + level + " 0"));
      assertTrue(group.panes.open.get(level.ordinal()).isEmpty());
    }
    assertEquals(2, group.stored.size(), "the series is known for a while, its figures are gone");
  }

  @Test
  void everythingIsReleased() {
    for (int i = 0; i < 100; i++) {
      group.value("cpu-" + i, 10, i);
      group.total("bytes-" + i, 1, 20, i);
      group.total("bytes-" + i, 1, MINUTE + 20, i);
    }
    group.save();
    assertTrue(group.stored.size() > 6);
    group.watermark(30_000);
    group.save();
    group.watermark(2 * DAY);
    group.value("cpu-1", 30, 5);
    group.save();
    group.clock(70_000);
    group.clock(70_000);
    group.clock(70_000);
    assertEquals(0, group.panes.open.stream().mapToInt(Map::size).sum(), "open panes");

    group.clock(Duration.ofHours(25).toMillis());
    group.save();

    assertTrue(group.panes.isEmpty());
    assertEquals(Map.of(), group.stored);
  }

  @Test
  void releasedSeriesComesBackWithNewPaneNumbers() {
    group.value("cpu", 10, 1);
    group.watermark(2 * DAY);
    group.clock(Duration.ofHours(3).toMillis());
    assertTrue(group.panes.isEmpty());

    group.value("cpu", 20, 1);
    group.flush();
    group.clock(7_000);

    assertEquals(2, group.added.get("cpu MINUTE 0").count());
  }

  @Test
  void seriesAreAnnouncedAgainAfterAnHour() {
    group.value("cpu", 10, 1);
    group.watermark(2 * DAY);
    // Sent every hour or so: the group keeps the series although nothing of it is open.
    for (int i = 0; i < 10; i++) {
      group.clock(Duration.ofMinutes(119).toMillis());
      group.value("cpu", 20 + i, 1);
      group.flush();
    }
    group.watermark(Long.MAX_VALUE);
    assertEquals(11, group.added.get("cpu MINUTE 0").count());
  }
}
