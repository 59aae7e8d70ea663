package io.tidemark.flink.io.routes;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.RouteInterval.Why;

/** Reads what {@link RouteSink} writes: values of the topic of routes. */
public final class RouteRecord {

  private RouteRecord() {}

  /**
   * @throws IllegalArgumentException when the bytes are no record of the contract
   */
  public static RouteInterval of(byte[] value) {
    try {
      io.tidemark.contracts.routes.v1.RouteInterval route =
          io.tidemark.contracts.routes.v1.RouteInterval.parseFrom(value);
      long end = route.getValidToUnixMs();
      return new RouteInterval(
          route.getOrganizationId(),
          route.getEnvironmentId(),
          route.getMetric(),
          route.getLabelsList().toArray(String[]::new),
          route.getValidFromUnixMs(),
          end == 0 ? RouteInterval.OPEN : end,
          why(route.getWhy().name()),
          route.getSeriesEstimate());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("A route is damaged", e);
    }
  }

  private static Why why(String name) {
    for (Why why : Why.values()) {
      if (RouteSink.wireName(why).name().equals(name)) {
        return why;
      }
    }
    throw new IllegalArgumentException("A route is there for an unknown reason: " + name);
  }
}
