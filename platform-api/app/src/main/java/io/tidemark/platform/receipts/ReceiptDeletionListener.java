package io.tidemark.platform.receipts;

import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.tenancy.EnvironmentDeleted;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Removes what receipts of an environment are made of when it is deleted; it would end within a day
 * anyway. The certificate of the deletion says what went, as the audit log does.
 */
@Component
class ReceiptDeletionListener {

  private final JdbcReceipts rows;
  private final AuditLog audit;

  ReceiptDeletionListener(JdbcReceipts rows, AuditLog audit) {
    this.rows = rows;
    this.audit = audit;
  }

  /** What was removed: batches that a receipt could be asked for, their copies, dead letters. */
  record Removed(long receipts, long copies, long setAside) {}

  @EventListener
  void forget(EnvironmentDeleted deleted) {
    audit.done(
        deleted.organization(),
        deleted.actor(),
        "receipts.remove",
        "environment",
        deleted.environment().value(),
        null,
        rows.removeAll(deleted.organization(), deleted.environment()));
  }
}
