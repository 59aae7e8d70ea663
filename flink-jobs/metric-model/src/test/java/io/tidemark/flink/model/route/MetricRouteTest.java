package io.tidemark.flink.model.route;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.route.RouteInterval.Why;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricRouteTest {

  private static final long MINUTE = 60_000;
  private static final SplitRule RULE = new SplitRule(1_000, 500, 2, 100, Duration.ofMinutes(10));
  private static final Map<String, Long> LABELS = Map.of("id", 900L, "zone", 3L);

  private final MetricRoute route = new MetricRoute(RULE, "org-a", "env-a", "req", null);

  @Test
  void promotedFromTheThresholdAndDemotedWellBelowIt() {
    assertEquals(List.of(), route.measured(999, LABELS, 30_000, 0));

    RouteInterval began = route.measured(1_000, LABELS, 30_000, 0).get(0);
    assertEquals(11 * MINUTE, began.validFrom(), "a whole minute, the lead ahead");
    assertEquals(RouteInterval.OPEN, began.validTo());
    assertEquals(Why.MEASURED, began.why());
    assertEquals(1_000, began.seriesEstimate());
    assertArrayEquals(new String[] {"id"}, began.labels());

    assertEquals(List.of(), route.measured(5_000, Map.of("zone", 500L), MINUTE, 0), "labels stay");
    assertEquals(List.of(), route.quiet(1, 60 * MINUTE, 0));
    RouteInterval ended = route.quiet(2, 60 * MINUTE, 0).get(0);
    assertEquals(began.validFrom(), ended.validFrom());
    assertEquals(71 * MINUTE, ended.validTo());
    assertNull(route.open());
  }

  /** In a catch-up the clock is ahead; with a sender's clock ahead, the watermark may be. */
  @Test
  void nothingBeginsInThePastOfClockOrWatermark() {
    assertEquals(11 * MINUTE, RULE.begins(0, Long.MIN_VALUE));
    assertEquals(111 * MINUTE, RULE.begins(0, 100 * MINUTE));
  }

  @Test
  void declarationWinsAndItsChangesMakeIntervalsThatMeet() {
    RouteInterval measured = route.measured(2_000, LABELS, 0, 0).get(0);
    List<RouteInterval> changes = route.declared(new String[] {"zone"}, 20 * MINUTE, 0);
    assertEquals(2, changes.size());
    assertEquals(measured.validFrom(), changes.get(0).validFrom());
    assertEquals(changes.get(0).validTo(), changes.get(1).validFrom());
    assertEquals(Why.DECLARED, changes.get(1).why());

    assertEquals(List.of(), route.declared(new String[] {"zone"}, 30 * MINUTE, 0));
    assertEquals(List.of(), route.quiet(99, 30 * MINUTE, 0), "measure does not end it");
    RouteInterval ended = route.undeclared(40 * MINUTE, 0).get(0);
    assertEquals(51 * MINUTE, ended.validTo());
    assertEquals(List.of(), route.undeclared(40 * MINUTE, 0));
  }

  @Test
  void labelsAreThoseWithManyValuesElseTheOneWithMost() {
    assertArrayEquals(
        new String[] {"client", "partition"},
        RULE.labels(Map.of("partition", 100L, "client", 5_000L, "topic", 99L)));
    assertArrayEquals(new String[] {"a"}, RULE.labels(Map.of("b", 7L, "a", 7L, "c", 1L)));
    assertNull(RULE.labels(Map.of("a", 1L)), "resources make the series; nothing would be saved");
    assertNull(RULE.labels(Map.of()));
  }

  @Test
  void intervalsAreReadBackAsWritten() {
    RouteInterval interval =
        new RouteInterval("org-a", "env-a", "req", new String[] {"a", "b"}, 1, 2, Why.DECLARED, 3);
    assertArrayEquals(interval.encode(), RouteInterval.decode(interval.encode()).encode());
    Routes routes = new Routes();
    routes.put(interval);
    long version = routes.version();
    routes.restore(routes.encode());
    assertEquals(version, routes.version(), "the same once more is no change");
    assertTrue(Routes.at(routes.of(interval.metricKey()), 1) != null);
    assertNull(Routes.at(routes.of(interval.metricKey()), 2));
    assertNull(Routes.at(routes.of(interval.metricKey()), 0));
  }
}
