package io.tidemark.platform.catalog;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Removes rows of an environment. */
@Repository
class JdbcCatalogEraser {

  private final JdbcClient jdbc;

  JdbcCatalogEraser(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Removes every row of the environment.
   *
   * @param table one of this module
   * @return how many there were
   */
  long forget(TenantId organization, EnvironmentId environment, String table) {
    return jdbc.sql(
            "DELETE FROM "
                + table
                + " WHERE organization_id = :organization AND environment_id = :environment")
        .param("organization", organization.value())
        .param("environment", environment.value())
        .update();
  }

  /** Removes what was seen of a metric. */
  void forgetSighting(TenantId organization, EnvironmentId environment, @Nullable String metric) {
    jdbc.sql(
            """
            DELETE FROM metric_sighting
            WHERE organization_id = :organization AND environment_id = :environment
              AND name = :metric
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("metric", metric)
        .update();
  }
}
