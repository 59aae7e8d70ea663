package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Finds open incidents that are suppressed, of all organisations. Gives identifiers only; what
 * becomes of them is decided in a transaction of each organisation.
 */
@Repository
class CrossTenantIncidents {

  /** An incident and whose it is. */
  record Suppressed(TenantId organization, String incident) {}

  private final JdbcClient jdbc;

  CrossTenantIncidents(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Organisations that have something to prune. */
  List<TenantId> withOldAlerts(Instant before, Instant incidentsBefore) {
    return jdbc.sql("SELECT * FROM organizations_with_old_alerts(:before, :incidents)")
        .param("before", before.atOffset(ZoneOffset.UTC))
        .param("incidents", incidentsBefore.atOffset(ZoneOffset.UTC))
        .query((row, number) -> new TenantId(row.getString(1)))
        .list();
  }

  /**
   * @param after the last one of the page before; null for the first page
   */
  List<Suppressed> suppressed(@Nullable Suppressed after, int most) {
    return jdbc.sql("SELECT * FROM incidents_suppressed(:organization, :incident, :most)")
        .param("organization", after == null ? "" : after.organization().value())
        .param("incident", after == null ? "" : after.incident())
        .param("most", most)
        .query(
            (row, number) ->
                new Suppressed(
                    new TenantId(row.getString("organization_id")), row.getString("incident_id")))
        .list();
  }
}
