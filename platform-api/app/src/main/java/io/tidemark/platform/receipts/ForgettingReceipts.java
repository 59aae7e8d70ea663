package io.tidemark.platform.receipts;

import io.tidemark.platform.tenancy.EnvironmentDeleted;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Removes the receipts of an environment that is deleted; they would end within a day anyway. */
@Component
class ForgettingReceipts {

  private final JdbcReceipts rows;

  ForgettingReceipts(JdbcReceipts rows) {
    this.rows = rows;
  }

  @EventListener
  void forget(EnvironmentDeleted deleted) {
    rows.removeAll(deleted.organization(), deleted.environment());
  }
}
