package io.tidemark.platform.metricstore.druid;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MeasuredHour;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Adds up the points that Druid's rows of a minute count, by hour and metric. */
public final class DruidPointCounts {

  private final DruidHttp broker;
  private final TenantDatasources datasources;
  private final IdentifierSource identifiers;

  /** Counts of one broker. */
  public DruidPointCounts(
      DruidHttp broker, DatasourcePlacements placements, IdentifierSource identifiers) {
    this.broker = broker;
    this.datasources = new TenantDatasources(placements);
    this.identifiers = identifiers;
  }

  /**
   * Points by hour of measurement, in the slow lane.
   *
   * @throws io.tidemark.platform.shared.ProblemException when Druid is away or full
   */
  public Map<MeasuredHour, Long> points(TenantId organization, Instant from, Instant to) {
    ObjectNode query =
        broker
            .json()
            .valueToTree(
                Map.of(
                    "queryType",
                    "groupBy",
                    "intervals",
                    List.of(from + "/" + to),
                    "granularity",
                    "hour",
                    "dimensions",
                    List.of("environment_id", "metric"),
                    "aggregations",
                    List.of(Map.of("type", "longSum", "name", "points", "fieldName", "count")),
                    "context",
                    Map.of(
                        "queryId",
                        identifiers.next(),
                        "lane",
                        Lane.SLOW.wireName(),
                        "priority",
                        Lane.SLOW.priority(),
                        "timeout",
                        broker.timeout().toMillis())));
    IntervalSet time = IntervalSet.of(List.of(new TimeInterval(from, to)));
    TenantDatasources.read(query, datasources.of(organization, Source.MINUTES, time));
    query.set("filter", DruidFilters.ofOrganization(organization));
    return broker.query(
        query,
        answer -> {
          Map<MeasuredHour, Long> points = new HashMap<>();
          for (JsonNode group : broker.json().readTree(answer)) {
            JsonNode event = group.path("event");
            points.merge(
                new MeasuredHour(
                    Instant.parse(group.path("timestamp").asString()),
                    event.path("environment_id").asString(""),
                    event.path("metric").asString("")),
                event.path("points").asLong(0),
                Long::sum);
          }
          return points;
        });
  }
}
