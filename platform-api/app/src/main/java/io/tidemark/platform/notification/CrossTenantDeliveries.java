package io.tidemark.platform.notification;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Finds messages whose time has come, of all organisations. Gives identifiers and figures only;
 * what is delivered is claimed in a transaction of each organisation.
 */
@Repository
class CrossTenantDeliveries {

  /** A message, whose it is and where it goes. */
  record Due(TenantId organization, String delivery, String integration) {}

  /** An integration whose heartbeat is due, and whose it is. */
  record HeartbeatDue(TenantId organization, String integration) {}

  /**
   * What is not delivered yet.
   *
   * @param waiting all of it, whatever for
   * @param oldestDue since when the one that is due longest is due; empty while none is
   */
  record Backlog(long waiting, Optional<Instant> oldestDue) {}

  private final JdbcClient jdbc;

  CrossTenantDeliveries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Organisations that have deliveries which ended before. */
  List<TenantId> withOldDeliveries(Instant before) {
    return jdbc.sql("SELECT * FROM organizations_with_old_deliveries(:before)")
        .param("before", StoredTime.utc(before))
        .query((row, number) -> new TenantId(row.getString(1)))
        .list();
  }

  /** Organisations that have integrations. */
  List<TenantId> withIntegrations() {
    return jdbc.sql("SELECT * FROM organizations_with_integrations()")
        .query((row, number) -> new TenantId(row.getString(1)))
        .list();
  }

  List<HeartbeatDue> heartbeats(Instant at, int most) {
    return jdbc.sql("SELECT * FROM heartbeats_due(:at, :most)")
        .param("at", StoredTime.utc(at))
        .param("most", most)
        .query(
            (row, number) ->
                new HeartbeatDue(
                    new TenantId(row.getString("organization_id")),
                    row.getString("integration_id")))
        .list();
  }

  /** How many wait, and how long one that could be attempted has waited for it. */
  Backlog backlog(Instant at) {
    return jdbc.sql("SELECT * FROM deliveries_waiting(:at)")
        .param("at", StoredTime.utc(at))
        .query(
            (row, number) ->
                new Backlog(
                    row.getLong("waiting"),
                    Optional.ofNullable(row.getObject("oldest_due", OffsetDateTime.class))
                        .map(OffsetDateTime::toInstant)))
        .single();
  }

  /** Those that wait longest, few of each integration. */
  List<Due> due(Instant at, int most, int ofEach) {
    return jdbc.sql("SELECT * FROM deliveries_due(:at, :most, :ofEach)")
        .param("at", StoredTime.utc(at))
        .param("most", most)
        .param("ofEach", ofEach)
        .query(
            (row, number) ->
                new Due(
                    new TenantId(row.getString("organization_id")),
                    row.getString("delivery_id"),
                    row.getString("integration_id")))
        .list();
  }
}
