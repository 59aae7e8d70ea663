package io.tidemark.platform.billing;

import io.tidemark.platform.billing.JdbcUsageEntries.EntryKey;
import io.tidemark.platform.billing.JdbcUsageEntries.Head;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.stereotype.Service;

/**
 * Enters usage records into the ledger. A record is entered once, however often it comes; a record
 * of a closed month goes to the month that is open, with its reason. Nothing is dropped.
 */
@Service
public class UsageLedger {

  static final String PERIOD_CLOSED = "PERIOD_CLOSED";
  static final String CLOCK_AHEAD = "CLOCK_AHEAD";

  /** How far an hour may begin after its record was made: clocks of machines differ a little. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(10);

  private final TenantTransactions transactions;
  private final JdbcUsageEntries entries;
  private final JdbcInvoices invoices;
  private final Clock clock;

  UsageLedger(
      TenantTransactions transactions,
      JdbcUsageEntries entries,
      JdbcInvoices invoices,
      Clock clock) {
    this.transactions = transactions;
    this.entries = entries;
    this.invoices = invoices;
    this.clock = clock;
  }

  /**
   * Enters what is new. May be called again with the same when it fails.
   *
   * @return how many entries were new
   */
  public int record(List<MeteredRecord> records) {
    Map<TenantId, List<MeteredRecord>> byOrganization = new LinkedHashMap<>();
    for (MeteredRecord record : records) {
      byOrganization
          .computeIfAbsent(record.organization(), unknown -> new ArrayList<>())
          .add(record);
    }
    int entered = 0;
    for (Map.Entry<TenantId, List<MeteredRecord>> one : byOrganization.entrySet()) {
      entered += transactions.within(one.getKey(), () -> enter(one.getKey(), one.getValue()));
    }
    return entered;
  }

  private int enter(TenantId organization, List<MeteredRecord> records) {
    Head head = entries.lockHead(organization);
    Map<EntryKey, BigDecimal> known =
        entries.known(organization, records.stream().map(MeteredRecord::recordId).toList());
    Set<BillingPeriod> closed = invoices.closedPeriods(organization);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    List<UsageEntry> added = new ArrayList<>();
    long sequence = head.sequence();
    String hash = head.hash();
    for (MeteredRecord record : records) {
      for (Map.Entry<String, BigDecimal> quantity : new TreeMap<>(record.quantities()).entrySet()) {
        EntryKey key = new EntryKey(record.recordId(), quantity.getKey());
        BigDecimal entered = known.putIfAbsent(key, quantity.getValue());
        if (entered == null) {
          UsageEntry draft =
              entry(record, key.meter(), quantity.getValue(), ++sequence, hash, closed, now);
          hash = UsageChain.hash(draft);
          added.add(draft.withHash(hash));
        } else if (entered.compareTo(quantity.getValue()) != 0) {
          entries.addConflict(organization, key, entered, quantity.getValue(), now);
        }
      }
    }
    if (!added.isEmpty()) {
      entries.append(organization, added);
    }
    return added.size();
  }

  private static UsageEntry entry(
      MeteredRecord record,
      String meter,
      BigDecimal units,
      long sequence,
      String previousHash,
      Set<BillingPeriod> closed,
      Instant now) {
    boolean isAhead = record.hour().isAfter(record.meteredAt().plus(CLOCK_SKEW));
    Instant rated = isAhead ? record.meteredAt().truncatedTo(ChronoUnit.HOURS) : record.hour();
    BillingPeriod period = BillingPeriod.at(rated);
    BillingPeriod billed = period;
    while (closed.contains(billed)) {
      billed = billed.next();
    }
    String reason = isAhead ? CLOCK_AHEAD : billed.equals(period) ? null : PERIOD_CLOSED;
    return new UsageEntry(
        record.organization().value(),
        sequence,
        record.recordId(),
        meter,
        record.metersVersion(),
        record.environment(),
        record.resourceType(),
        record.resourceId(),
        record.metric(),
        units,
        record.hour(),
        rated,
        billed.firstDay(),
        reason,
        record.meteredAt(),
        now,
        record.sourcePartition(),
        record.sourceOffset(),
        previousHash,
        null);
  }
}
