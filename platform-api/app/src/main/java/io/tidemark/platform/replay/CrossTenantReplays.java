package io.tidemark.platform.replay;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Finds replays of all organisations that are due, and lets one begin at a time. Gives identifiers
 * only.
 */
@Repository
class CrossTenantReplays {

  /** A replay and whose it is. */
  record Due(TenantId organization, String replay) {}

  private final JdbcClient jdbc;

  CrossTenantReplays(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Waits until no other transaction begins or claims a replay. */
  void lock() {
    jdbc.sql("SELECT pg_advisory_xact_lock(hashtextextended('dead-letter-replay', 75))")
        .query((row, number) -> true)
        .single();
  }

  /** The first ones that nobody works on, the oldest first; executions only while none runs. */
  List<Due> due(Instant at) {
    return jdbc.sql("SELECT * FROM dead_letter_replays_due(:at)")
        .param("at", at.atOffset(ZoneOffset.UTC))
        .query(
            (row, number) ->
                new Due(new TenantId(row.getString("organization_id")), row.getString("replay_id")))
        .list();
  }
}
