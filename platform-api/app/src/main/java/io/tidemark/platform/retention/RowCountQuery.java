package io.tidemark.platform.retention;

import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Queries that count stored rows, as trees ready to become JSON. */
public final class RowCountQuery {

  private static final String EVER = "0000-01-01T00:00:00.000Z/5000-01-01T00:00:00.000Z";

  private RowCountQuery() {}

  /**
   * Rows of an environment that are expired by the one, which is not empty, and not by the other.
   */
  public static Map<String, Object> expired(
      List<String> datasources,
      TenantId organization,
      EnvironmentId environment,
      List<Expired> expired,
      List<Expired> expiredBefore,
      Duration timeout) {
    List<Map<String, Object>> fields = new ArrayList<>();
    fields.add(RowFilters.equal("organization_id", organization.value()));
    fields.add(RowFilters.expired(environment, expired));
    if (!expiredBefore.isEmpty()) {
      fields.add(RowFilters.not(RowFilters.expired(environment, expiredBefore)));
    }
    return Map.of(
        "queryType",
        "timeseries",
        "dataSource",
        Map.of("type", "union", "dataSources", datasources),
        "intervals",
        List.of(EVER),
        "granularity",
        "all",
        "filter",
        RowFilters.and(fields),
        "aggregations",
        List.of(
            Map.of("type", "count", "name", "rows"),
            Map.of("type", "longMin", "name", "oldest", "fieldName", "__time")),
        "context",
        Map.of("timeout", timeout.toMillis(), "skipEmptyBuckets", true));
  }
}
