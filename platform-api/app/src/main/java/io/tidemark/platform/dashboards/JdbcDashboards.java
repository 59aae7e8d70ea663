package io.tidemark.platform.dashboards;

import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables dashboard and dashboard_version. */
@Repository
class JdbcDashboards {

  private final JdbcClient jdbc;

  JdbcDashboards(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(TenantId organization, Dashboard dashboard) {
    jdbc.sql(
            """
            INSERT INTO dashboard (organization_id, id, definition, version, created_by_kind,
              created_by, created_at, updated_by_kind, updated_by, updated_at)
            VALUES (:organization, :id, :definition::jsonb, :version, :creatorKind, :creator,
              :created, :updaterKind, :updater, :updated)
            """)
        .param("organization", organization.value())
        .param("id", dashboard.id())
        .param("definition", DashboardJson.text(dashboard.definition()))
        .param("version", dashboard.version())
        .param("creatorKind", dashboard.createdBy().kind())
        .param("creator", dashboard.createdBy().id())
        .param("created", dashboard.createdAt().atOffset(ZoneOffset.UTC))
        .param("updaterKind", dashboard.updatedBy().kind())
        .param("updater", dashboard.updatedBy().id())
        .param("updated", dashboard.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  void update(TenantId organization, Dashboard dashboard) {
    jdbc.sql(
            """
            UPDATE dashboard SET definition = :definition::jsonb, version = :version,
              updated_by_kind = :updaterKind, updated_by = :updater, updated_at = :updated
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", dashboard.id())
        .param("definition", DashboardJson.text(dashboard.definition()))
        .param("version", dashboard.version())
        .param("updaterKind", dashboard.updatedBy().kind())
        .param("updater", dashboard.updatedBy().id())
        .param("updated", dashboard.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  void delete(TenantId organization, String id) {
    jdbc.sql("DELETE FROM dashboard WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .update();
  }

  Optional<Dashboard> find(TenantId organization, String id) {
    return jdbc.sql("SELECT * FROM dashboard WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> dashboard(row))
        .optional();
  }

  /** The same, held until the transaction ends. */
  Optional<Dashboard> lock(TenantId organization, String id) {
    return jdbc.sql(
            """
            SELECT * FROM dashboard WHERE organization_id = :organization AND id = :id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> dashboard(row))
        .optional();
  }

  long count(TenantId organization) {
    return jdbc.sql("SELECT count(*) FROM dashboard WHERE organization_id = :organization")
        .param("organization", organization.value())
        .query(Long.class)
        .single();
  }

  /** Dashboards after an identifier, in their order. */
  List<DashboardSummary> list(TenantId organization, String after, int most) {
    return jdbc.sql(
            """
            SELECT id, version, definition ->> 'title' AS title,
              definition ->> 'description' AS description,
              definition ->> 'resourceType' AS resource_type,
              jsonb_array_length(definition -> 'panels') AS panel_count,
              created_by_kind, created_by, created_at, updated_by_kind, updated_by, updated_at
            FROM dashboard
            WHERE organization_id = :organization AND id > :after
            ORDER BY id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("after", after)
        .param("most", most)
        .query(
            (row, number) ->
                new DashboardSummary(
                    row.getString("id"),
                    row.getLong("version"),
                    row.getString("title"),
                    row.getString("description"),
                    row.getString("resource_type"),
                    row.getInt("panel_count"),
                    author(row, "created_by"),
                    time(row, "created_at"),
                    author(row, "updated_by"),
                    time(row, "updated_at")))
        .list();
  }

  void insertVersion(TenantId organization, String dashboard, DashboardVersion version) {
    jdbc.sql(
            """
            INSERT INTO dashboard_version (organization_id, dashboard_id, version, definition,
              changed_by_kind, changed_by, changed_at, restored_from)
            VALUES (:organization, :dashboard, :version, :definition::jsonb, :kind, :author,
              :changed, :restored)
            """)
        .param("organization", organization.value())
        .param("dashboard", dashboard)
        .param("version", version.version())
        .param("definition", DashboardJson.text(version.definition()))
        .param("kind", version.changedBy().kind())
        .param("author", version.changedBy().id())
        .param("changed", version.changedAt().atOffset(ZoneOffset.UTC))
        .param("restored", version.restoredFrom(), Types.BIGINT)
        .update();
  }

  /** Removes versions up to one. */
  void removeVersions(TenantId organization, String dashboard, long upTo) {
    jdbc.sql(
            """
            DELETE FROM dashboard_version
            WHERE organization_id = :organization AND dashboard_id = :dashboard AND version <= :upTo
            """)
        .param("organization", organization.value())
        .param("dashboard", dashboard)
        .param("upTo", upTo)
        .update();
  }

  Optional<DashboardVersion> version(TenantId organization, String dashboard, long version) {
    return jdbc.sql(
            """
            SELECT * FROM dashboard_version
            WHERE organization_id = :organization AND dashboard_id = :dashboard
              AND version = :version
            """)
        .param("organization", organization.value())
        .param("dashboard", dashboard)
        .param("version", version)
        .query((row, number) -> version(row))
        .optional();
  }

  /** Versions before one, the newest first. */
  List<DashboardVersion> versions(TenantId organization, String dashboard, long before, int most) {
    return jdbc.sql(
            """
            SELECT * FROM dashboard_version
            WHERE organization_id = :organization AND dashboard_id = :dashboard
              AND version < :before
            ORDER BY version DESC LIMIT :most
            """)
        .param("organization", organization.value())
        .param("dashboard", dashboard)
        .param("before", before)
        .param("most", most)
        .query((row, number) -> version(row))
        .list();
  }

  private static Dashboard dashboard(ResultSet row) throws SQLException {
    return new Dashboard(
        row.getString("id"),
        definition(row),
        row.getLong("version"),
        author(row, "created_by"),
        time(row, "created_at"),
        author(row, "updated_by"),
        time(row, "updated_at"));
  }

  private static DashboardVersion version(ResultSet row) throws SQLException {
    return new DashboardVersion(
        row.getLong("version"),
        definition(row),
        author(row, "changed_by"),
        time(row, "changed_at"),
        row.getObject("restored_from", Long.class));
  }

  private static DashboardDefinition definition(ResultSet row) throws SQLException {
    return DashboardJson.definition(row.getString("definition"));
  }

  private static DashboardAuthor author(ResultSet row, String column) throws SQLException {
    return new DashboardAuthor(row.getString(column + "_kind"), row.getString(column));
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
