package io.tidemark.platform.audit;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log from its first entry to its end and says what does not fit: an entry that was
 * changed, one that is missing or was put between, an end that was cut off, and, when the caller
 * knows an entry from before, a chain that was written anew.
 */
final class AuditLogVerifier {

  private static final int AT_A_TIME = 500;
  private static final int MAX_FAULTS = 20;

  private final TenantTransactions transactions;
  private final JdbcAuditEntries entries;

  private final List<String> faults = new ArrayList<>();
  private long read;
  private long sequence;
  private @Nullable String hash = AuditChain.BEGINNING;

  AuditLogVerifier(TenantTransactions transactions, JdbcAuditEntries entries) {
    this.transactions = transactions;
    this.entries = entries;
  }

  AuditVerification verify(TenantId organization, AuditLog.@Nullable EntryReference known) {
    // Entries that come while reading are read too, or lie behind this end.
    JdbcAuditEntries.Head head =
        transactions.within(organization, () -> entries.head(organization));
    boolean knownSeen = known == null;
    boolean headSeen = head.sequence() == 0;
    List<AuditEntry> page;
    do {
      long from = sequence;
      page = transactions.within(organization, () -> entries.after(organization, from, AT_A_TIME));
      for (AuditEntry entry : page) {
        check(entry);
        knownSeen |= known != null && matches(entry, known.sequence(), known.hash());
        headSeen |= matches(entry, head.sequence(), head.hash());
      }
    } while (page.size() == AT_A_TIME);
    if (!headSeen) {
      fault("The log ends before entry " + head.sequence() + ", or that entry was changed.");
    }
    if (!knownSeen) {
      fault(
          "Entry "
              + Objects.requireNonNull(known).sequence()
              + " is not the one that has the known hash.");
    }
    return new AuditVerification(read, sequence, read == 0 ? null : hash, faults);
  }

  private void check(AuditEntry entry) {
    if (entry.sequence() != sequence + 1) {
      fault("Entries between " + sequence + " and " + entry.sequence() + " are missing.");
    }
    if (!entry.previousHash().equals(hash)) {
      fault("Entry " + entry.sequence() + " does not follow the entry before it.");
    }
    if (!AuditChain.hash(entry).equals(entry.hash())) {
      fault("Entry " + entry.sequence() + " was changed: its hash does not fit it.");
    }
    read++;
    sequence = entry.sequence();
    hash = entry.hash();
  }

  private static boolean matches(AuditEntry entry, long sequence, String hash) {
    return entry.sequence() == sequence
        && Objects.requireNonNull(entry.hash()).equalsIgnoreCase(hash);
  }

  private void fault(String sentence) {
    if (faults.size() < MAX_FAULTS) {
      faults.add(sentence);
    }
  }
}
