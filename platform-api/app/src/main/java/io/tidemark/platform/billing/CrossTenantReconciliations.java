package io.tidemark.platform.billing;

import io.tidemark.platform.shared.TenantId;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds whose hours are reconciled. Gives identifiers only; each is reconciled as itself. */
@Repository
class CrossTenantReconciliations {

  private final JdbcClient jdbc;

  CrossTenantReconciliations(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<TenantId> organizations() {
    return jdbc.sql("SELECT organization_id FROM organizations_to_reconcile()")
        .query((row, number) -> new TenantId(row.getString(1)))
        .list();
  }
}
