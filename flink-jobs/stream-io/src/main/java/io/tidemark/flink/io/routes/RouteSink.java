package io.tidemark.flink.io.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.contracts.routes.v1.Route;
import io.tidemark.contracts.routes.v1.Why;
import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.KeyAndValue;
import io.tidemark.flink.model.route.RouteInterval;
import java.util.Arrays;
import org.apache.flink.api.connector.sink2.Sink;

/** The topic of routes, exactly once. */
public final class RouteSink {

  private static final int LARGEST_RECORD = 1_000_000;
  private static final String WHY_PREFIX = "WHY_";

  private RouteSink() {}

  public static Sink<RouteInterval> of(Brokers brokers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        brokers,
        transactions,
        "routes",
        LARGEST_RECORD,
        new KeyAndValue<>(topic, RouteSink::key, RouteSink::value));
  }

  static byte[] key(RouteInterval interval) {
    return (interval.metricKey() + "/" + interval.validFrom()).getBytes(UTF_8);
  }

  static byte[] value(RouteInterval interval) {
    long end = interval.validTo();
    return io.tidemark.contracts.routes.v1.RouteInterval.newBuilder()
        .setOrganizationId(interval.organizationId())
        .setEnvironmentId(interval.environmentId())
        .setMetric(interval.metric())
        .setRoute(Route.ROUTE_SPLIT)
        .addAllLabels(Arrays.asList(interval.labels()))
        .setValidFromUnixMs(interval.validFrom())
        .setValidToUnixMs(end == RouteInterval.OPEN ? 0 : end)
        .setWhy(wireName(interval.why()))
        .setSeriesEstimate(interval.seriesEstimate())
        .build()
        .toByteArray();
  }

  static Why wireName(RouteInterval.Why why) {
    return Why.valueOf(WHY_PREFIX + why.name());
  }
}
