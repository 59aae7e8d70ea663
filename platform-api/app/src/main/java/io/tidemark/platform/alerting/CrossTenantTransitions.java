package io.tidemark.platform.alerting;

import io.tidemark.platform.alerting.JdbcTransitions.TransitionPosition;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** How far transitions of all organisations are written; reads no row of any. */
@Repository
class CrossTenantTransitions {

  private final JdbcClient jdbc;

  CrossTenantTransitions(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The place up to which no transaction can add anything any more. */
  TransitionPosition settled() {
    long oldest =
        jdbc.sql("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
            .query(Long.class)
            .single();
    return new TransitionPosition(oldest - 1, Long.MAX_VALUE);
  }
}
