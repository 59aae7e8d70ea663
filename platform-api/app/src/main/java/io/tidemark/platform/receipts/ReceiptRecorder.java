package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Writes copies and dead letters to the database, where receipts are made from. The same record
 * again changes nothing. What is older than receipts are kept is removed, from time to time, with
 * the next that its organisation sends.
 */
@Component
public class ReceiptRecorder {

  private static final Duration REMOVAL = Duration.ofMinutes(10);

  private final TenantTransactions transactions;
  private final JdbcReceipts rows;
  private final Clock clock;
  private final Duration kept;
  private final Map<TenantId, Instant> removedAt = new LinkedHashMap<>();

  ReceiptRecorder(
      TenantTransactions transactions,
      JdbcReceipts rows,
      Clock clock,
      ReceiptsProperties properties) {
    this.transactions = transactions;
    this.rows = rows;
    this.clock = clock;
    this.kept = properties.kept();
  }

  private record Work(List<BatchCopy> copies, List<DeadLetterRef> letters) {}

  /** Writes what is new. May be called again with the same when it fails. */
  public synchronized void record(List<BatchCopy> copies, List<DeadLetterRef> letters) {
    Instant now = clock.instant();
    Instant since = now.minus(kept);
    Map<TenantId, Work> byOrganization = new LinkedHashMap<>();
    for (BatchCopy copy : copies) {
      if (copy.receivedAt().isAfter(since)) {
        workOf(byOrganization, copy.organization()).copies().add(copy);
      }
    }
    for (DeadLetterRef letter : letters) {
      if (letter.receivedAt().isAfter(since)) {
        workOf(byOrganization, letter.organization()).letters().add(letter);
      }
    }
    byOrganization.forEach(
        (organization, work) ->
            transactions.run(
                organization,
                () -> {
                  rows.addCopies(organization, work.copies());
                  rows.addLetters(organization, work.letters());
                  removeOld(organization, now, since);
                }));
  }

  private static Work workOf(Map<TenantId, Work> works, TenantId organization) {
    return works.computeIfAbsent(
        organization, unknown -> new Work(new ArrayList<>(), new ArrayList<>()));
  }

  private void removeOld(TenantId organization, Instant now, Instant since) {
    Instant before = removedAt.get(organization);
    if (before == null || before.plus(REMOVAL).isBefore(now)) {
      rows.removeBefore(organization, since);
      removedAt.put(organization, now);
    }
  }
}
