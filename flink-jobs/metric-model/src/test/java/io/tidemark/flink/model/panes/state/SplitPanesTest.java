package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.panes.combine.Bundle;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.RouteInterval.Why;
import io.tidemark.flink.model.route.Routes;
import io.tidemark.flink.model.series.MetricKind;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Split minutes: full detail apart, ordinary rows without the labels, and the same totals. */
class SplitPanesTest {

  private static final long MINUTE = 60_000;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private final TestingPanes full = new TestingPanes();
  private final TestingPanes reduced = new TestingPanes();

  SplitPanesTest() {
    full.reduced = bundle -> reduced.panes.accept(bundle, reduced.now);
  }

  private static RouteInterval interval(String metric, long from, long to) {
    return new RouteInterval(
        "org-a", "env-a", metric, new String[] {"id"}, from, to, Why.MEASURED, 5);
  }

  private void route(RouteInterval interval) {
    full.panes.accept(Bundle.ofRoute(0, interval), full.now);
  }

  private void values(long time) {
    for (int i = 0; i < 10; i++) {
      full.value("req#" + i, time, i);
      full.value("other#" + i, time, i);
    }
  }

  private void watermark(long time) {
    full.watermark(time);
    reduced.watermark(time);
  }

  @Test
  void exactlyTheMinutesOfTheIntervalAreSplit() {
    route(interval("req", MINUTE, 2 * MINUTE));
    values(10);
    values(MINUTE);
    values(2 * MINUTE - 1);
    values(2 * MINUTE);
    watermark(HOUR);

    TestingPanes.Added all = new TestingPanes.Added(45, 10, 0, 9);
    assertEquals(all, full.added.get("req MINUTE 0"));
    assertEquals(all, full.added.get("req MINUTE 120000"));
    assertNull(full.added.get("req MINUTE 60000"));
    TestingPanes.Added split = new TestingPanes.Added(90, 20, 0, 9);
    assertEquals(split, full.added.get("req SPLIT 60000"));
    assertEquals(split, reduced.added.get("req MINUTE 60000"));
    assertEquals(Set.of("req{}"), new TreeSet<>(reduced.seriesWithRows), "without the label");
    assertEquals(20, full.seriesWithRows.stream().filter(s -> !s.startsWith("split")).count());

    assertEquals(new TestingPanes.Added(90, 20, 0, 9), full.added.get("req HOUR 0"));
    assertEquals(split, reduced.added.get("req HOUR 0"), "hours are fed by reduced minutes");
    assertEquals(4 * 45, full.added.get("other HOUR 0").sum(), "another metric is as before");
  }

  @Test
  void totalsAreThoseOfAnUnsplitRun() {
    TestingPanes ordinary = new TestingPanes();
    route(interval("req", 0, RouteInterval.OPEN));
    for (int i = 0; i < 10; i++) {
      for (TestingPanes one : new TestingPanes[] {full, ordinary}) {
        one.value("req#" + i, 10 + i, i * 1.5);
        one.total("sent#" + i, 1, 10 + i, 100 + i);
        one.total("req#" + i, 1, 10 + i, 100 + i);
      }
    }
    for (TestingPanes one : new TestingPanes[] {full, reduced, ordinary}) {
      one.watermark(MINUTE);
    }

    assertEquals(ordinary.added.get("req MINUTE 0"), reduced.added.get("req MINUTE 0"));
    assertEquals(ordinary.added.get("req MINUTE 0"), full.added.get("req SPLIT 0"));
    assertEquals(ordinary.added.get("sent MINUTE 0"), full.added.get("sent MINUTE 0"));
  }

  /** The route of a minute is that of its interval, however late the point. */
  @Test
  void latePointsTakeTheRouteOfTheirMinute() {
    route(interval("req", MINUTE, 2 * MINUTE));
    watermark(HOUR);
    values(MINUTE + 5);
    values(5);
    full.flush();
    full.clock(7_000);
    reduced.clock(7_000);

    assertEquals(45, full.added.get("req SPLIT 60000").sum());
    assertEquals(45, reduced.added.get("req MINUTE 60000").sum());
    assertEquals(45, full.added.get("req MINUTE 0").sum());
  }

  @Test
  void routesSurviveARestartAndAnEndReplacesTheOpenInterval() {
    route(interval("req", 0, RouteInterval.OPEN));
    full.save();
    full.restart();
    values(10);
    route(interval("req", 0, MINUTE));
    values(MINUTE);
    full.save();
    full.restart();
    watermark(HOUR);

    assertEquals(45, full.added.get("req SPLIT 0").sum());
    assertEquals(45, full.added.get("req MINUTE 60000").sum());
  }

  @Test
  void routesAreForgottenWhenNoPointCanBelongToThem() {
    route(interval("req", 0, MINUTE));
    full.value("req#1", 10, 1);
    watermark(Duration.ofDays(2).toMillis());
    full.save();
    assertTrue(full.stored.size() > 0);
    for (int day = 0; day < Routes.REMEMBERED.toDays() + 2; day++) {
      full.clock(Duration.ofDays(1).toMillis());
    }
    full.save();

    assertTrue(full.routes.isEmpty());
    assertEquals(0, full.stored.size());
  }

  @Test
  void aSeriesWithoutTheLabelsIsItsOwnReduction() {
    assertEquals(
        TestingPanes.series("req", MetricKind.GAUGE).attributes(),
        Reduction.reduced(
                TestingPanes.series("req#1", MetricKind.GAUGE), new String[] {"id", "none"})
            .attributes());
  }
}
