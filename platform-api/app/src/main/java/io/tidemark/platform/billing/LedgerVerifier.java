package io.tidemark.platform.billing;

import io.tidemark.platform.billing.JdbcUsageEntries.Head;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Reads a ledger from its first entry to its end and says what does not fit: an entry that was
 * changed, is missing or was put between, an end that was cut off, a record that came with two
 * contents, a closed invoice that ledger and plans do not give.
 */
@Service
public class LedgerVerifier {

  private static final int AT_A_TIME = 1_000;
  private static final int MAX_FAULTS = 20;

  private final TenantTransactions transactions;
  private final JdbcUsageEntries entries;
  private final Invoices invoices;

  LedgerVerifier(TenantTransactions transactions, JdbcUsageEntries entries, Invoices invoices) {
    this.transactions = transactions;
    this.entries = entries;
    this.invoices = invoices;
  }

  /**
   * What was found.
   *
   * @param entries that were read
   * @param lastHash null without entries
   */
  public record Verification(long entries, @Nullable String lastHash, List<String> faults) {}

  public Verification verify(TenantId organization) {
    List<String> faults = new ArrayList<>();
    Head head = transactions.within(organization, () -> entries.head(organization));
    boolean headSeen = head.sequence() == 0;
    long sequence = 0;
    long read = 0;
    String hash = UsageChain.BEGINNING;
    List<UsageEntry> page;
    do {
      long from = sequence;
      page = transactions.within(organization, () -> entries.after(organization, from, AT_A_TIME));
      for (UsageEntry entry : page) {
        if (entry.sequence() != sequence + 1) {
          faults.add("Entries between " + sequence + " and " + entry.sequence() + " are missing.");
        }
        if (!entry.previousHash().equals(hash)) {
          faults.add("Entry " + entry.sequence() + " does not follow the entry before it.");
        }
        if (!UsageChain.hash(entry).equals(entry.hash())) {
          faults.add(
              "Entry "
                  + entry.sequence()
                  + " ("
                  + entry.meter()
                  + " of "
                  + entry.metric()
                  + " in "
                  + entry.hour()
                  + ") was changed: its hash does not fit it.");
        }
        headSeen |=
            entry.sequence() == head.sequence()
                && Objects.requireNonNull(entry.hash()).equals(head.hash());
        sequence = entry.sequence();
        hash = entry.hash();
        read++;
      }
    } while (page.size() == AT_A_TIME && faults.size() < MAX_FAULTS);
    if (!headSeen && faults.size() < MAX_FAULTS) {
      faults.add("The ledger ends before entry " + head.sequence() + ", or that was changed.");
    }
    transactions.run(
        organization,
        () -> {
          faults.addAll(entries.conflicts(organization));
          faults.addAll(invoices.faults(organization));
        });
    return new Verification(
        read, read == 0 ? null : hash, faults.subList(0, Math.min(faults.size(), MAX_FAULTS)));
  }
}
