package io.tidemark.platform.removal;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Service;

/** Records what the lake's committer says of a removal that runs; of others it says nothing new. */
@Service
public class RecordingReports {

  private final TenantTransactions transactions;
  private final JdbcRemovals rows;

  RecordingReports(TenantTransactions transactions, JdbcRemovals rows) {
    this.transactions = transactions;
    this.rows = rows;
  }

  /** A snapshot of the table is without so many rows. */
  public void removed(
      TenantId organization,
      String removal,
      String table,
      long snapshot,
      long removedRows,
      Instant heldUntil) {
    change(organization, removal, table, step -> step.removed(snapshot, removedRows, heldUntil));
  }

  /** A look at the whole table found nothing. */
  public void nothingLeft(TenantId organization, String removal, String table, Instant lookedAt) {
    change(organization, removal, table, step -> step.nothingLeft(lookedAt));
  }

  private void change(
      TenantId organization, String removal, String table, UnaryOperator<LakeStep> change) {
    transactions.run(
        organization,
        () ->
            rows.lock(organization, removal)
                .filter(found -> found.finishedAt() == null)
                .ifPresent(
                    found -> {
                      List<LakeStep> steps =
                          found.lake().stream()
                              .map(step -> step.table().equals(table) ? change.apply(step) : step)
                              .toList();
                      rows.setLake(organization, removal, steps);
                    }));
  }
}
