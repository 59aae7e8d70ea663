package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The budgets in rows of the table organization. */
@Repository
class JdbcOrganizationBudgets {

  /** What a row says of budgets. */
  record StoredBudgets(Budgets set, long version, Instant updatedAt) {}

  private final JdbcClient jdbc;

  JdbcOrganizationBudgets(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Of an organisation that is there, in any state. */
  StoredBudgets find(TenantId organization) {
    return jdbc.sql("SELECT * FROM organization WHERE id = :id")
        .param("id", organization.value())
        .query(
            (row, number) ->
                new StoredBudgets(
                    BudgetColumns.of(row),
                    row.getLong("budgets_version"),
                    row.getObject("budgets_updated_at", OffsetDateTime.class).toInstant()))
        .single();
  }

  void put(TenantId organization, Budgets budgets, Instant now) {
    jdbc.sql(
            """
            UPDATE organization SET
              active_series = :activeSeries, new_series_per_minute = :newSeries,
              labels_per_series = :labels, label_keys_per_metric = :labelKeys,
              label_value_length = :valueLength, when_series_exceeded = :whenExceeded,
              budgets_version = budgets_version + 1, budgets_updated_at = :now
            WHERE id = :id
            """)
        .param("id", organization.value())
        .param("activeSeries", budgets.activeSeries())
        .param("newSeries", budgets.newSeriesPerMinute())
        .param("labels", budgets.labelsPerSeries())
        .param("labelKeys", budgets.labelKeysPerMetric())
        .param("valueLength", budgets.labelValueLength())
        .param("whenExceeded", BudgetColumns.seriesOverrunPolicy(budgets))
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
  }
}
