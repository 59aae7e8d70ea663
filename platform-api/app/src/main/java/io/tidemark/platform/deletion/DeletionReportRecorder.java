package io.tidemark.platform.deletion;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import org.springframework.stereotype.Service;

/** Records what the lake's committer says of a removal that runs; of others it says nothing new. */
@Service
public class DeletionReportRecorder {

  private final TenantTransactions transactions;
  private final RegionDeletions region;

  DeletionReportRecorder(TenantTransactions transactions, RegionDeletions region) {
    this.transactions = transactions;
    this.region = region;
  }

  /** A snapshot of the table is without so many region. */
  public void removed(
      TenantId organization,
      String removal,
      String table,
      long snapshot,
      long removedRows,
      Instant heldUntil) {
    change(
        organization,
        removal,
        table,
        (found, step) -> step.removed(snapshot, removedRows, heldUntil));
  }

  /** A look at the whole table found nothing; one before the removal settled says nothing. */
  public void nothingLeft(TenantId organization, String removal, String table, Instant lookedAt) {
    change(
        organization,
        removal,
        table,
        (found, step) ->
            lookedAt.isBefore(found.settledFrom()) ? step : step.nothingLeft(lookedAt));
  }

  private void change(
      TenantId organization,
      String removal,
      String table,
      BiFunction<DataDeletion, LakeDeletionStep, LakeDeletionStep> change) {
    transactions.run(
        organization,
        () ->
            region
                .lock(organization, removal)
                .filter(found -> found.finishedAt() == null)
                .ifPresent(
                    found -> {
                      List<LakeDeletionStep> steps =
                          found.lake().stream()
                              .map(
                                  step ->
                                      step.table().equals(table) ? change.apply(found, step) : step)
                              .toList();
                      region.setLake(organization, removal, steps);
                    }));
  }
}
