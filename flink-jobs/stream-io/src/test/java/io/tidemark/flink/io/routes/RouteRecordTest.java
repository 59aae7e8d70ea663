package io.tidemark.flink.io.routes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.RouteInterval.Why;
import org.junit.jupiter.api.Test;

class RouteRecordTest {

  @Test
  void aRouteIsReadAsItWasWritten() {
    RouteInterval open = route(RouteInterval.OPEN, Why.DECLARED);
    RouteInterval ended = route(180_000, Why.MEASURED);

    assertArrayEquals(open.encode(), RouteRecord.of(RouteSink.value(open)).encode());
    assertArrayEquals(ended.encode(), RouteRecord.of(RouteSink.value(ended)).encode());
  }

  @Test
  void whatIsNoRouteIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> RouteRecord.of(new byte[] {7, 7}));
    assertThrows(IllegalArgumentException.class, () -> RouteRecord.of(new byte[0]));
  }

  private static RouteInterval route(long end, Why why) {
    return new RouteInterval(
        "org-a", "env-a", "cpu", new String[] {"client", "pod"}, 60_000, end, why, 25_000);
  }
}
