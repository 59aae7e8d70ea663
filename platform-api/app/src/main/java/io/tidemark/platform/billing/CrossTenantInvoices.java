package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.shared.TenantId;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds periods to close. Gives identifiers only; each is closed as its organisation. */
@Repository
class CrossTenantInvoices {

  /** A period of an organisation that is over and not closed. */
  record Due(TenantId organization, BillingPeriod period) {}

  private final JdbcClient jdbc;

  CrossTenantInvoices(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** By organisation, the earliest period first. */
  List<Due> before(BillingPeriod open) {
    return jdbc.sql("SELECT organization_id, month FROM invoices_due(:before)")
        .param("before", open.firstDay())
        .query(
            (row, number) ->
                new Due(
                    new TenantId(row.getString(1)),
                    BillingPeriod.at(
                        row.getObject(2, LocalDate.class)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant())))
        .list();
  }
}
