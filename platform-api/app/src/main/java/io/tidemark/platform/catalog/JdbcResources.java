package io.tidemark.platform.catalog;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table resource. */
@Repository
class JdbcResources {

  private static final String ONE =
      """
      SELECT * FROM resource
      WHERE organization_id = :organization AND environment_id = :environment
        AND type = :type AND name = :name
      """;

  private final JdbcClient jdbc;

  JdbcResources(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Optional<CatalogResource> find(
      TenantId organization, EnvironmentId environment, String type, String name) {
    return one(ONE, organization, environment, type, name);
  }

  /** Kept from other changes until the transaction ends. */
  Optional<CatalogResource> lock(
      TenantId organization, EnvironmentId environment, String type, String name) {
    return one(ONE + " FOR NO KEY UPDATE", organization, environment, type, name);
  }

  private Optional<CatalogResource> one(
      String sql, TenantId organization, EnvironmentId environment, String type, String name) {
    return jdbc.sql(sql)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("type", type)
        .param("name", name)
        .query((row, number) -> resource(row))
        .optional();
  }

  /** By type and name, after those given. */
  List<CatalogResource> list(
      TenantId organization,
      EnvironmentId environment,
      String afterType,
      String afterName,
      int most) {
    return jdbc.sql(
            """
            SELECT * FROM resource
            WHERE organization_id = :organization AND environment_id = :environment
              AND (type, name) > (:type, :name)
            ORDER BY type, name LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("type", afterType)
        .param("name", afterName)
        .param("most", most)
        .query((row, number) -> resource(row))
        .list();
  }

  long count(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            SELECT count(*) FROM resource
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query(Long.class)
        .single();
  }

  /** Whether it was not there. */
  boolean insertIfAbsent(
      TenantId organization, EnvironmentId environment, CatalogResource resource) {
    return jdbc.sql(
                """
                INSERT INTO resource (organization_id, environment_id, type, name, display_name,
                  confirmed, version, created_at, updated_at)
                VALUES (:organization, :environment, :type, :name, :displayName, :confirmed,
                  :version, :created, :updated)
                ON CONFLICT (organization_id, environment_id, type, name) DO NOTHING
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .param("type", resource.type())
            .param("name", resource.name())
            .param("displayName", resource.displayName())
            .param("confirmed", resource.isConfirmed())
            .param("version", resource.version())
            .param("created", resource.createdAt().atOffset(ZoneOffset.UTC))
            .param("updated", resource.updatedAt().atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  void update(TenantId organization, EnvironmentId environment, CatalogResource changed) {
    jdbc.sql(
            """
            UPDATE resource SET display_name = :displayName, confirmed = :confirmed,
              version = :version, updated_at = :updated
            WHERE organization_id = :organization AND environment_id = :environment
              AND type = :type AND name = :name
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("type", changed.type())
        .param("name", changed.name())
        .param("displayName", changed.displayName())
        .param("confirmed", changed.isConfirmed())
        .param("version", changed.version())
        .param("updated", changed.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  void delete(TenantId organization, EnvironmentId environment, String type, String name) {
    jdbc.sql(
            """
            DELETE FROM resource
            WHERE organization_id = :organization AND environment_id = :environment
              AND type = :type AND name = :name
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("type", type)
        .param("name", name)
        .update();
  }

  private static CatalogResource resource(ResultSet row) throws SQLException {
    return new CatalogResource(
        row.getString("type"),
        row.getString("name"),
        row.getString("display_name"),
        row.getBoolean("confirmed"),
        row.getLong("version"),
        instant(row, "created_at"),
        instant(row, "updated_at"),
        instantOrNull(row, "first_seen"),
        instantOrNull(row, "last_seen"));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
