package io.tidemark.platform.billing;

import io.tidemark.platform.shared.TenantId;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Finds whose hours are reconciled, and counts what differs. Gives identifiers and numbers only;
 * each is reconciled as itself.
 */
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

  /** Differences that were told and are not mended, by stage; a stage without is missing. */
  Map<Difference.Stage, Long> openDifferences() {
    Map<Difference.Stage, Long> byStage = new EnumMap<>(Difference.Stage.class);
    jdbc.sql("SELECT stage, differences FROM reconciliation_differences_open()")
        .query(
            row -> {
              byStage.put(
                  Difference.Stage.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
                  row.getLong(2));
            });
    return byStage;
  }
}
