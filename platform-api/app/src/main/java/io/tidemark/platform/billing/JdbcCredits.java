package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Credit;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables credit and credit_use. */
@Repository
class JdbcCredits {

  /** A credit as granted. */
  record Granted(Credit credit, Instant grantedAt) {}

  private final JdbcClient jdbc;

  JdbcCredits(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The first granted first. */
  List<Granted> all(TenantId organization) {
    return jdbc.sql(
            """
            SELECT id, kind, amount, currency, description, valid_from, valid_until, granted_at
            FROM credit WHERE organization_id = :organization ORDER BY granted_at, id
            """)
        .param("organization", organization.value())
        .query(
            (row, number) ->
                new Granted(
                    new Credit(
                        row.getString(1),
                        Credit.Kind.valueOf(row.getString(2).toUpperCase(Locale.ROOT)),
                        row.getBigDecimal(3),
                        row.getString(4),
                        row.getString(5),
                        row.getObject(6, LocalDate.class),
                        row.getObject(7, LocalDate.class)),
                    row.getObject(8, OffsetDateTime.class).toInstant()))
        .list();
  }

  /**
   * What closed invoices used, by credit.
   *
   * @param before only of months before this one; null for all
   */
  Map<String, BigDecimal> used(TenantId organization, @Nullable BillingPeriod before) {
    Map<String, BigDecimal> used = new HashMap<>();
    jdbc.sql(
            """
            SELECT credit_id, sum(amount) FROM credit_use
            WHERE organization_id = :organization AND (:before::date IS NULL OR month < :before)
            GROUP BY 1
            """)
        .param("organization", organization.value())
        .param("before", before == null ? null : before.firstDay())
        .query(
            row -> {
              used.put(row.getString(1), row.getBigDecimal(2));
            });
    return used;
  }

  void add(TenantId organization, Credit credit, Instant grantedAt) {
    jdbc.sql(
            """
            INSERT INTO credit (organization_id, id, kind, amount, currency, description,
              valid_from, valid_until, granted_at)
            VALUES (:organization, :id, :kind, :amount, :currency, :description, :from, :until, :at)
            """)
        .param("organization", organization.value())
        .param("id", credit.id())
        .param("kind", credit.kind().name().toLowerCase(Locale.ROOT))
        .param("amount", credit.amount())
        .param("currency", credit.currency())
        .param("description", credit.description())
        .param("from", credit.validFrom())
        .param("until", credit.validUntil())
        .param("at", grantedAt.atOffset(ZoneOffset.UTC))
        .update();
  }

  void use(TenantId organization, String credit, BillingPeriod period, BigDecimal amount) {
    jdbc.sql(
            """
            INSERT INTO credit_use (organization_id, credit_id, month, amount)
            VALUES (:organization, :credit, :month, :amount)
            """)
        .param("organization", organization.value())
        .param("credit", credit)
        .param("month", period.firstDay())
        .param("amount", amount)
        .update();
  }
}
