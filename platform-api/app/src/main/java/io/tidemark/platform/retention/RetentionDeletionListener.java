package io.tidemark.platform.retention;

import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.tenancy.EnvironmentDeleted;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Removes what is kept of an environment that is deleted. */
@Component
class RetentionDeletionListener {

  private final JdbcRetention rows;
  private final AuditLog audit;

  RetentionDeletionListener(JdbcRetention rows, AuditLog audit) {
    this.rows = rows;
    this.audit = audit;
  }

  @EventListener
  void forget(EnvironmentDeleted deleted) {
    if (rows.remove(deleted.organization(), deleted.environment())) {
      audit.done(
          deleted.organization(),
          deleted.actor(),
          "retention.remove",
          "environment",
          deleted.environment().value(),
          null,
          null);
    }
  }
}
