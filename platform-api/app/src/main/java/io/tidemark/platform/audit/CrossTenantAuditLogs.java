package io.tidemark.platform.audit;

import io.tidemark.platform.shared.TenantId;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Whose logs there are. Gives identifiers only; each log is read as its organisation's. */
@Repository
class CrossTenantAuditLogs {

  private final JdbcClient jdbc;

  CrossTenantAuditLogs(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<TenantId> organizations() {
    return jdbc.sql("SELECT organization_id FROM organizations_with_audit_log()")
        .query((row, number) -> new TenantId(row.getString(1)))
        .list();
  }
}
