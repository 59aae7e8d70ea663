package io.tidemark.platform.metricstore.druid;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.druid.DruidJsonClient;
import io.tidemark.platform.metricstore.CrossTenantStoreSizes;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Divides the bytes of Druid's segments by rows. The coordinator knows the bytes of a datasource;
 * rows are counted by organisation and environment in the slow lane, where they delay no dashboard.
 */
public final class CrossTenantDruidSizes implements CrossTenantStoreSizes {

  private static final String EVER = "0000-01-01T00:00:00.000Z/5000-01-01T00:00:00.000Z";

  private record Rows(String organization, String environment, long rows) {}

  /** Whose bytes of a level, in whichever datasource they are. */
  private record EnvironmentLevel(String organization, String environment, String level) {
    static EnvironmentLevel of(Rows rows, Source source) {
      return new EnvironmentLevel(rows.organization(), rows.environment(), source.datasource());
    }
  }

  private final DruidHttp broker;
  private final DruidJsonClient coordinator;
  private final DatasourcePlacements placements;
  private final IdentifierSource identifiers;

  /** Sizes of one cluster. */
  public CrossTenantDruidSizes(
      DruidHttp broker,
      DruidJsonClient coordinator,
      DatasourcePlacements placements,
      IdentifierSource identifiers) {
    this.placements = placements;
    this.broker = broker;
    this.coordinator = coordinator;
    this.identifiers = identifiers;
  }

  @Override
  public String meter() {
    return "druid_storage";
  }

  @Override
  public List<StoredSize> sizes() {
    Map<EnvironmentLevel, BigDecimal> sizes = new LinkedHashMap<>();
    for (Source source : Source.values()) {
      for (String datasource : placements.datasources(source.datasource())) {
        BigDecimal bytes = bytes(datasource);
        if (bytes.signum() > 0) {
          divided(bytes, rows(datasource))
              .forEach(
                  (rows, part) ->
                      sizes.merge(EnvironmentLevel.of(rows, source), part, BigDecimal::add));
        }
      }
    }
    return sizes.entrySet().stream()
        .map(
            size ->
                new StoredSize(
                    new TenantId(size.getKey().organization()),
                    size.getKey().environment(),
                    size.getKey().level(),
                    size.getValue()))
        .toList();
  }

  private BigDecimal bytes(String datasource) {
    JsonNode known = coordinator.find("/druid/coordinator/v1/datasources/" + datasource);
    return new BigDecimal(known.path("segments").path("size").asLong(0));
  }

  private List<Rows> rows(String datasource) {
    ObjectNode query =
        broker
            .json()
            .valueToTree(
                Map.of(
                    "queryType",
                    "groupBy",
                    "dataSource",
                    datasource,
                    "intervals",
                    List.of(EVER),
                    "granularity",
                    "all",
                    "dimensions",
                    List.of("organization_id", "environment_id"),
                    "aggregations",
                    List.of(Map.of("type", "count", "name", "rows")),
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
    return broker.query(
        query,
        answer -> {
          List<Rows> rows = new ArrayList<>();
          for (JsonNode group : broker.json().readTree(answer)) {
            JsonNode event = group.path("event");
            rows.add(
                new Rows(
                    event.path("organization_id").asString(""),
                    event.path("environment_id").asString(""),
                    event.path("rows").asLong(0)));
          }
          return rows;
        });
  }

  private static Map<Rows, BigDecimal> divided(BigDecimal bytes, List<Rows> rows) {
    BigDecimal all = BigDecimal.valueOf(rows.stream().mapToLong(Rows::rows).sum());
    Map<Rows, BigDecimal> parts = new LinkedHashMap<>();
    for (Rows one : rows) {
      if (TenantId.isWellFormed(one.organization()) && one.rows() > 0) {
        parts.put(one, bytes.multiply(BigDecimal.valueOf(one.rows())).divideToIntegralValue(all));
      }
    }
    return parts;
  }
}
