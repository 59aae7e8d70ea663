package io.tidemark.platform.retention;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.json.JsonMapper;

/** Rows of the table retention. */
@Repository
class JdbcRetention {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final JdbcClient jdbc;

  JdbcRetention(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Optional<EnvironmentRetention> find(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            SELECT * FROM retention
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query((row, number) -> retention(row))
        .optional();
  }

  /** Of every environment that has one. */
  Map<EnvironmentId, RetentionPolicy> all(TenantId organization) {
    Map<EnvironmentId, RetentionPolicy> all = new HashMap<>();
    jdbc.sql("SELECT * FROM retention WHERE organization_id = :organization")
        .param("organization", organization.value())
        .query(
            (row, number) ->
                Map.entry(
                    new EnvironmentId(row.getString("environment_id")), retention(row).policy()))
        .list()
        .forEach(entry -> all.put(entry.getKey(), entry.getValue()));
    return all;
  }

  /** Sets it when the version is still the one before; whether it was. */
  boolean put(TenantId organization, EnvironmentId environment, EnvironmentRetention changed) {
    return jdbc.sql(
                """
                INSERT INTO retention (organization_id, environment_id, policy, version, updated_at,
                  policy_before, in_force_from)
                VALUES (:organization, :environment, :policy::jsonb, :version, :updated,
                  :before::jsonb, :from)
                ON CONFLICT (organization_id, environment_id) DO UPDATE SET
                  policy = excluded.policy, version = excluded.version,
                  updated_at = excluded.updated_at, policy_before = excluded.policy_before,
                  in_force_from = excluded.in_force_from
                WHERE retention.version = excluded.version - 1
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .param("policy", JSON.writeValueAsString(changed.policy()))
            .param("version", changed.version())
            .param("updated", Objects.requireNonNull(changed.updatedAt()).atOffset(ZoneOffset.UTC))
            .param("before", JSON.writeValueAsString(changed.before()))
            .param("from", Objects.requireNonNull(changed.from()).atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** Whether there were any. */
  boolean remove(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
                """
                DELETE FROM retention
                WHERE organization_id = :organization AND environment_id = :environment
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .update()
        == 1;
  }

  private static EnvironmentRetention retention(ResultSet row) throws SQLException {
    return new EnvironmentRetention(
        JSON.readValue(row.getString("policy"), RetentionPolicy.class),
        row.getLong("version"),
        row.getObject("updated_at", OffsetDateTime.class).toInstant(),
        JSON.readValue(row.getString("policy_before"), RetentionPolicy.class),
        row.getObject("in_force_from", OffsetDateTime.class).toInstant());
  }
}
