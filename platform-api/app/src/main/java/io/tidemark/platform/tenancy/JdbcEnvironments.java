package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table environment. */
@Repository
class JdbcEnvironments {

  private final JdbcClient jdbc;

  JdbcEnvironments(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether the environment was not there, in any state. */
  boolean insertIfAbsent(
      TenantId organization, EnvironmentId environment, String displayName, Instant now) {
    return jdbc.sql(
                """
                INSERT INTO environment
                  (organization_id, id, display_name, created_at, updated_at, budgets_updated_at)
                VALUES (:organization, :id, :name, :now, :now, :now)
                ON CONFLICT (organization_id, id) DO NOTHING
                """)
            .param("organization", organization.value())
            .param("id", environment.value())
            .param("name", displayName)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** Keeps others from making environments of the organisation until the transaction ends. */
  void lockOrganization(TenantId organization) {
    jdbc.sql("SELECT id FROM organization WHERE id = :organization FOR NO KEY UPDATE")
        .param("organization", organization.value())
        .query(String.class)
        .optional();
  }

  /** Those that are not deleted for good. */
  int count(TenantId organization) {
    return jdbc.sql(
            "SELECT count(*) FROM environment WHERE organization_id = :organization AND state <>"
                + " :deleted")
        .param("organization", organization.value())
        .param("deleted", LifecycleState.DELETED.wireName())
        .query(Integer.class)
        .single();
  }

  /** In any state. */
  Optional<Environment> find(TenantId organization, EnvironmentId environment) {
    return find(organization, environment, "");
  }

  /** In any state; kept from other changes until the transaction ends. */
  Optional<Environment> lock(TenantId organization, EnvironmentId environment) {
    return find(organization, environment, "FOR NO KEY UPDATE");
  }

  private Optional<Environment> find(
      TenantId organization, EnvironmentId environment, String lock) {
    return jdbc.sql(
            "SELECT * FROM environment WHERE organization_id = :organization AND id = :id " + lock)
        .param("organization", organization.value())
        .param("id", environment.value())
        .query((row, number) -> environment(row))
        .optional();
  }

  /** Those not deleted for good, by identifier, after the given one. */
  List<Environment> list(TenantId organization, String after, int most) {
    return jdbc.sql(
            """
            SELECT * FROM environment
            WHERE organization_id = :organization AND id > :after AND state <> 'deleted'
            ORDER BY id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("after", after)
        .param("most", most)
        .query((row, number) -> environment(row))
        .list();
  }

  /** Those deleted for good. */
  List<EnvironmentId> deleted(TenantId organization) {
    return jdbc.sql(
            """
            SELECT id FROM environment
            WHERE organization_id = :organization AND state = 'deleted'
            """)
        .param("organization", organization.value())
        .query((row, number) -> new EnvironmentId(row.getString("id")))
        .list();
  }

  void update(TenantId organization, Environment changed) {
    jdbc.sql(
            """
            UPDATE environment SET
              display_name = :name, state = :state, delete_after = :deleteAfter,
              version = :version, updated_at = :updated,
              active_series = :activeSeries, new_series_per_minute = :newSeries,
              labels_per_series = :labels, label_keys_per_metric = :labelKeys,
              label_value_length = :valueLength, when_series_exceeded = :whenExceeded,
              budgets_version = :budgetsVersion, budgets_updated_at = :budgetsUpdated
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", changed.id().value())
        .param("name", changed.displayName())
        .param("state", changed.state().wireName())
        .param(
            "deleteAfter",
            changed.deleteAfter() == null ? null : changed.deleteAfter().atOffset(ZoneOffset.UTC))
        .param("version", changed.version())
        .param("updated", changed.updatedAt().atOffset(ZoneOffset.UTC))
        .param("activeSeries", changed.budgets().activeSeries())
        .param("newSeries", changed.budgets().newSeriesPerMinute())
        .param("labels", changed.budgets().labelsPerSeries())
        .param("labelKeys", changed.budgets().labelKeysPerMetric())
        .param("valueLength", changed.budgets().labelValueLength())
        .param("whenExceeded", BudgetColumns.seriesOverrunPolicy(changed.budgets()))
        .param("budgetsVersion", changed.budgetsVersion())
        .param("budgetsUpdated", changed.budgetsUpdatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  private static Environment environment(ResultSet row) throws SQLException {
    OffsetDateTime deleteAfter = row.getObject("delete_after", OffsetDateTime.class);
    return new Environment(
        new TenantId(row.getString("organization_id")),
        new EnvironmentId(row.getString("id")),
        row.getString("display_name"),
        LifecycleState.named(row.getString("state")),
        deleteAfter == null ? null : deleteAfter.toInstant(),
        row.getLong("version"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("updated_at", OffsetDateTime.class).toInstant(),
        BudgetColumns.of(row),
        row.getLong("budgets_version"),
        row.getObject("budgets_updated_at", OffsetDateTime.class).toInstant());
  }
}
