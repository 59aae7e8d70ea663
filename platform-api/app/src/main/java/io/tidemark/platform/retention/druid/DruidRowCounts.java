package io.tidemark.platform.retention.druid;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidJsonClient;
import io.tidemark.platform.retention.Level;
import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.retention.RetentionProperties;
import io.tidemark.platform.retention.RowCountQuery;
import io.tidemark.platform.retention.StoredRowCounter;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Counts rows with a native query of the broker. */
@Component
class DruidRowCounts implements StoredRowCounter {

  private final RetentionProperties properties;
  private final DatasourcePlacements placements;
  private final DruidJsonClient broker;

  DruidRowCounts(RetentionProperties properties, DatasourcePlacements placements) {
    this.properties = properties;
    this.placements = placements;
    this.broker = new DruidJsonClient(properties.druid());
  }

  @Override
  public Stored count(
      TenantId organization,
      EnvironmentId environment,
      Level level,
      List<Expired> expired,
      List<Expired> expiredBefore) {
    if (expired.isEmpty()) {
      return new Stored(0, null);
    }
    JsonNode answer =
        broker.post(
            "/druid/v2/",
            RowCountQuery.expired(
                properties.datasources(level).stream()
                    .flatMap(shared -> placements.datasources(organization, shared).stream())
                    .toList(),
                organization,
                environment,
                expired,
                expiredBefore,
                DruidJsonClient.TIMEOUT));
    JsonNode result = answer.path(0).path("result");
    long rows = result.path("rows").asLong(0);
    return new Stored(
        rows, rows == 0 ? null : Instant.ofEpochMilli(result.path("oldest").asLong()));
  }
}
