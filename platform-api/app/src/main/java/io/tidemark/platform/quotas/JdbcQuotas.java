package io.tidemark.platform.quotas;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table quota. */
@Repository
class JdbcQuotas {

  /** A row. */
  record StoredQuotas(QuotaOverrides set, long version, @Nullable Instant updatedAt) {}

  private final JdbcClient jdbc;

  JdbcQuotas(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What was set.
   *
   * @param environment empty for the whole organisation
   */
  Optional<StoredQuotas> find(TenantId organization, String environment) {
    return jdbc.sql(
            """
            SELECT * FROM quota
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment)
        .query((row, number) -> kept(row))
        .optional();
  }

  /** Sets them when the version is still the one before; whether it was. */
  boolean put(
      TenantId organization,
      String environment,
      QuotaOverrides set,
      long versionBefore,
      Instant now) {
    return jdbc.sql(
                """
                INSERT INTO quota (organization_id, environment_id, requests_per_second,
                  bytes_per_second, points_per_second, version, updated_at)
                VALUES (:organization, :environment, :requests, :bytes, :points, :before + 1, :now)
                ON CONFLICT (organization_id, environment_id) DO UPDATE SET
                  requests_per_second = :requests, bytes_per_second = :bytes,
                  points_per_second = :points, version = quota.version + 1, updated_at = :now
                WHERE quota.version = :before
                """)
            .param("organization", organization.value())
            .param("environment", environment)
            .param("requests", set.requestsPerSecond())
            .param("bytes", set.bytesPerSecond())
            .param("points", set.pointsPerSecond())
            .param("before", versionBefore)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** Whether there were any. */
  boolean remove(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
                """
                DELETE FROM quota
                WHERE organization_id = :organization AND environment_id = :environment
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .update()
        == 1;
  }

  private static StoredQuotas kept(ResultSet row) throws SQLException {
    return new StoredQuotas(
        QuotaOverrides.of(row),
        row.getLong("version"),
        row.getObject("updated_at", OffsetDateTime.class).toInstant());
  }
}
