package io.tidemark.platform.notification;

import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.tenancy.EnvironmentDeleted;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Removes integrations of an environment that is deleted, with their deliveries. */
@Component
class IntegrationDeletionListener {

  private final JdbcIntegrations rows;
  private final AuditLog audit;

  IntegrationDeletionListener(JdbcIntegrations rows, AuditLog audit) {
    this.rows = rows;
    this.audit = audit;
  }

  /** What was removed. */
  record Removed(long integrations) {}

  @EventListener
  void remove(EnvironmentDeleted deleted) {
    Removed removed =
        new Removed(rows.eraseEnvironment(deleted.organization(), deleted.environment()));
    audit.done(
        deleted.organization(),
        deleted.actor(),
        "integrations.remove",
        "environment",
        deleted.environment().value(),
        null,
        removed);
  }
}
