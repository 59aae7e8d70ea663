package io.tidemark.platform.billing;

import io.tidemark.platform.shared.TenantId;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds whose spending is watched. Gives identifiers only; each is watched as itself. */
@Repository
class CrossTenantSpendingBudgets {

  private final JdbcClient jdbc;

  CrossTenantSpendingBudgets(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<TenantId> organizations() {
    return jdbc.sql("SELECT organization_id FROM organizations_with_spending_budget()")
        .query((row, number) -> new TenantId(row.getString(1)))
        .list();
  }
}
