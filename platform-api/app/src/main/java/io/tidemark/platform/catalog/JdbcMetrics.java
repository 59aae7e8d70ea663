package io.tidemark.platform.catalog;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables metric_declaration and metric_sighting. */
@Repository
class JdbcMetrics {

  private static final String BOTH =
      """
      SELECT coalesce(d.environment_id, s.environment_id) AS environment_id,
        coalesce(d.name, s.name) AS name,
        d.unit AS declared_unit, d.type AS declared_type, d.description,
        d.high_cardinality_labels, d.lifecycle, d.version, d.updated_at,
        s.type, s.unit, s.description AS sent_description, s.labels, s.labels_complete, s.first_seen, s.last_seen
      FROM (SELECT * FROM metric_declaration WHERE organization_id = :organization) AS d
      FULL JOIN (SELECT * FROM metric_sighting WHERE organization_id = :organization) AS s
        ON s.environment_id = d.environment_id AND s.name = d.name
      """;

  private final JdbcClient jdbc;

  JdbcMetrics(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Optional<CatalogMetric> find(TenantId organization, EnvironmentId environment, String name) {
    return jdbc.sql(
            BOTH
                + """
                WHERE coalesce(d.environment_id, s.environment_id) = :environment
                  AND coalesce(d.name, s.name) = :name
                """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("name", name)
        .query((row, number) -> metric(row))
        .optional();
  }

  /** By name, after the given one. */
  List<CatalogMetric> list(
      TenantId organization, EnvironmentId environment, String after, int most) {
    return jdbc.sql(
            BOTH
                + """
                WHERE coalesce(d.environment_id, s.environment_id) = :environment
                  AND coalesce(d.name, s.name) > :after
                ORDER BY 2 LIMIT :most
                """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("after", after)
        .param("most", most)
        .query((row, number) -> metric(row))
        .list();
  }

  /** Of all environments, by name and environment. */
  List<CatalogMetric> all(TenantId organization, int most) {
    return jdbc.sql(BOTH + "ORDER BY 2, 1 LIMIT :most")
        .param("organization", organization.value())
        .param("most", most)
        .query((row, number) -> metric(row))
        .list();
  }

  /** Keeps other declarations of the metric waiting until the transaction ends. */
  void lock(TenantId organization, EnvironmentId environment, String name) {
    jdbc.sql("SELECT pg_advisory_xact_lock(hashtextextended(:key, 20))")
        .param("key", organization + "/" + environment + "/" + name)
        .query((row, number) -> number)
        .list();
  }

  /** Names of declared metrics. */
  List<String> declared(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            SELECT name FROM metric_declaration
            WHERE organization_id = :organization AND environment_id = :environment
            ORDER BY name
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query(String.class)
        .list();
  }

  long declarations(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            SELECT count(*) FROM metric_declaration
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query(Long.class)
        .single();
  }

  void put(
      TenantId organization,
      EnvironmentId environment,
      String name,
      MetricDeclaration declaration,
      long version,
      Instant now) {
    jdbc.sql(
            """
            INSERT INTO metric_declaration (organization_id, environment_id, name, unit, type,
              description, high_cardinality_labels, lifecycle, version, updated_at)
            VALUES (:organization, :environment, :name, :unit, :type, :description, :labels,
              :lifecycle, :version, :now)
            ON CONFLICT (organization_id, environment_id, name) DO UPDATE SET
              unit = excluded.unit, type = excluded.type, description = excluded.description,
              high_cardinality_labels = excluded.high_cardinality_labels,
              lifecycle = excluded.lifecycle, version = excluded.version,
              updated_at = excluded.updated_at
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("name", name)
        .param("unit", declaration.unit())
        .param("type", declaration.type() == null ? null : declaration.type().wireName())
        .param("description", declaration.description())
        .param("labels", declaration.highCardinalityLabels().toArray(String[]::new))
        .param("lifecycle", declaration.lifecycle().wireName())
        .param("version", version)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
  }

  /** Whether there was a declaration. */
  boolean withdraw(TenantId organization, EnvironmentId environment, String name) {
    return jdbc.sql(
                """
                DELETE FROM metric_declaration
                WHERE organization_id = :organization AND environment_id = :environment
                  AND name = :name
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .param("name", name)
            .update()
        == 1;
  }

  private static CatalogMetric metric(ResultSet row) throws SQLException {
    boolean isDeclared = row.getObject("version") != null;
    boolean isSeen = row.getObject("first_seen") != null;
    return new CatalogMetric(
        new EnvironmentId(row.getString("environment_id")),
        row.getString("name"),
        isDeclared
            ? new MetricDeclaration(
                row.getString("declared_unit"),
                MetricType.named(row.getString("declared_type")),
                row.getString("description"),
                texts(row, "high_cardinality_labels"),
                MetricLifecycle.named(row.getString("lifecycle")))
            : null,
        row.getLong("version"),
        isDeclared ? instant(row, "updated_at") : null,
        isSeen
            ? new MetricSighting(
                MetricType.named(row.getString("type")),
                row.getString("unit"),
                texts(row, "labels"),
                row.getBoolean("labels_complete"),
                instant(row, "first_seen"),
                instant(row, "last_seen"))
            : null,
        isSeen ? row.getString("sent_description") : "");
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    return Arrays.asList((String[]) row.getArray(column).getArray());
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
