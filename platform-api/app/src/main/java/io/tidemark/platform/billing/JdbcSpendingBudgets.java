package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.SpendingBudget;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables spending_budget, spending_threshold and lowered_quota. */
@Repository
class JdbcSpendingBudgets {

  /** A budget as stored; version 0 when none was ever set. */
  record Stored(SpendingBudget budget, long version) {}

  /** A quota that was lowered; previous is null when it was the plan's. */
  record Lowered(BillingPeriod period, long pointsPerSecond, @Nullable Long previous) {}

  private final JdbcClient jdbc;

  JdbcSpendingBudgets(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Stored find(TenantId organization) {
    return jdbc.sql("SELECT * FROM spending_budget WHERE organization_id = :organization")
        .param("organization", organization.value())
        .query((row, number) -> stored(row))
        .optional()
        .orElse(new Stored(SpendingBudget.NONE, 0));
  }

  private static Stored stored(ResultSet row) throws SQLException {
    return new Stored(
        new SpendingBudget(
            row.getBigDecimal("amount") == null
                ? null
                : row.getBigDecimal("amount").stripTrailingZeros(),
            List.of((Integer[]) array(row, "thresholds")),
            row.getObject("points_per_second", Long.class),
            List.of((String[]) array(row, "integration_ids"))),
        row.getLong("version"));
  }

  private static Object array(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return array.getArray();
  }

  /** Sets it when the version is still the one before; whether it was. */
  boolean put(TenantId organization, SpendingBudget budget, long versionBefore, Instant now) {
    return jdbc.sql(
                """
                INSERT INTO spending_budget (organization_id, amount, thresholds, points_per_second,
                  integration_ids, version, updated_at)
                VALUES (:organization, :amount, :thresholds, :points, :integrations, :before + 1,
                  :now)
                ON CONFLICT (organization_id) DO UPDATE SET
                  amount = :amount, thresholds = :thresholds, points_per_second = :points,
                  integration_ids = :integrations, version = spending_budget.version + 1,
                  updated_at = :now
                WHERE spending_budget.version = :before
                """)
            .param("organization", organization.value())
            .param("amount", budget.amount())
            .param("thresholds", budget.thresholds().toArray(Integer[]::new))
            .param("points", budget.pointsPerSecond())
            .param("integrations", budget.integrations().toArray(String[]::new))
            .param("before", versionBefore)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** Writes down that a threshold is reached; false when it is written already. */
  boolean reach(TenantId organization, BillingPeriod period, Reached reached) {
    return jdbc.sql(
                """
                INSERT INTO spending_threshold
                  (organization_id, month, percent, amount, spent, currency, reached_at)
                VALUES (:organization, :month, :percent, :amount, :spent, :currency, :at)
                ON CONFLICT DO NOTHING
                """)
            .param("organization", organization.value())
            .param("month", period.firstDay())
            .param("percent", reached.percent())
            .param("amount", reached.amount())
            .param("spent", reached.spent())
            .param("currency", reached.currency())
            .param("at", reached.at().atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** A threshold that a month has reached. */
  record Reached(
      int percent, @Nullable BigDecimal amount, BigDecimal spent, String currency, Instant at) {}

  /** Of a period, by percent. */
  List<Reached> reached(TenantId organization, BillingPeriod period) {
    return jdbc.sql(
            """
            SELECT percent, amount, spent, currency, reached_at FROM spending_threshold
            WHERE organization_id = :organization AND month = :month ORDER BY percent
            """)
        .param("organization", organization.value())
        .param("month", period.firstDay())
        .query(
            (row, number) ->
                new Reached(
                    row.getInt(1),
                    row.getBigDecimal(2),
                    row.getBigDecimal(3),
                    row.getString(4),
                    row.getObject(5, OffsetDateTime.class).toInstant()))
        .list();
  }

  Optional<Lowered> lowered(TenantId organization) {
    return jdbc.sql("SELECT * FROM lowered_quota WHERE organization_id = :organization")
        .param("organization", organization.value())
        .query(
            (row, number) ->
                new Lowered(
                    BillingPeriod.at(
                        row.getObject("month", LocalDate.class)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()),
                    row.getLong("points_per_second"),
                    row.getObject("previous_points_per_second", Long.class)))
        .optional();
  }

  void lower(TenantId organization, Lowered lowered, Instant now) {
    jdbc.sql(
            """
            INSERT INTO lowered_quota (organization_id, month, points_per_second,
              previous_points_per_second, lowered_at)
            VALUES (:organization, :month, :points, :previous, :now)
            """)
        .param("organization", organization.value())
        .param("month", lowered.period().firstDay())
        .param("points", lowered.pointsPerSecond())
        .param("previous", lowered.previous())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
  }

  void giveBack(TenantId organization) {
    jdbc.sql("DELETE FROM lowered_quota WHERE organization_id = :organization")
        .param("organization", organization.value())
        .update();
  }
}
