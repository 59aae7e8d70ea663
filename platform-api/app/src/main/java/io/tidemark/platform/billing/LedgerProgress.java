package io.tidemark.platform.billing;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import org.springframework.stereotype.Component;

/** Says what reaches the ledger, and until when it has what was acknowledged. */
@Component
public class LedgerProgress {

  private static final int MAX_ENTRIES = 20_000;

  private final TenantTransactions transactions;
  private final JdbcUsageEntries entries;
  private final JdbcReconciledHours hours;

  LedgerProgress(
      TenantTransactions transactions, JdbcUsageEntries entries, JdbcReconciledHours hours) {
    this.transactions = transactions;
    this.entries = entries;
    this.hours = hours;
  }

  /**
   * Entries by start of the minute in which they were recorded; empty when the organisation has
   * more than can be counted.
   */
  public Optional<SortedMap<Instant, Long>> entriesByMinute(
      TenantId organization, EnvironmentId environment, Instant from, Instant to) {
    return transactions.within(
        organization, () -> entries.byMinute(organization, environment, from, to, MAX_ENTRIES));
  }

  /** All hours that end at or before it agree with the receipts; empty before the first one. */
  public Optional<Instant> reconciledUntil(TenantId organization) {
    return transactions.within(organization, () -> hours.agreesUntil(organization));
  }
}
