package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Sums of what every organisation used, for who runs Tidemark. */
@Repository
class CrossTenantUsage {

  /** Units of a month and of the one before. */
  record Units(TenantId organization, String meter, BigDecimal units, BigDecimal before) {}

  private final JdbcClient jdbc;

  CrossTenantUsage(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<Units> of(BillingPeriod period) {
    return jdbc.sql("SELECT * FROM usage_of_organizations(:month, :before)")
        .param("month", period.firstDay())
        .param("before", period.previous().firstDay())
        .query(
            (row, number) ->
                new Units(
                    new TenantId(row.getString(1)),
                    row.getString(2),
                    row.getBigDecimal(3),
                    row.getBigDecimal(4)))
        .list();
  }
}
