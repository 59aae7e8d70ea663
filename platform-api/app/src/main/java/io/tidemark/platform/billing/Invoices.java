package io.tidemark.platform.billing;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.billing.JdbcInvoices.Posting;
import io.tidemark.platform.billing.JdbcInvoices.StoredInvoice;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.InvoiceCalculator;
import io.tidemark.platform.billing.domain.InvoiceCalculator.Late;
import io.tidemark.platform.billing.domain.InvoiceLine;
import io.tidemark.platform.billing.domain.PlanTimeline;
import io.tidemark.platform.billing.domain.PricePlan;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/** Invoices of organisations: drafts from the ledger as it is, closed ones as they were issued. */
@Service
public class Invoices {

  private static final Actor BILLING = Actor.system("billing");
  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(2);

  private final TenantTransactions transactions;
  private final JdbcUsageEntries usage;
  private final JdbcInvoices rows;
  private final Plans plans;
  private final JdbcSpendingBudgets budgets;
  private final Credits credits;
  private final ApplicationEventPublisher events;
  private final AuditLog audit;
  private final BillingProperties properties;
  private final Clock clock;

  Invoices(
      TenantTransactions transactions,
      JdbcUsageEntries usage,
      JdbcInvoices rows,
      Plans plans,
      JdbcSpendingBudgets budgets,
      Credits credits,
      ApplicationEventPublisher events,
      AuditLog audit,
      BillingProperties properties,
      Clock clock) {
    this.transactions = transactions;
    this.usage = usage;
    this.rows = rows;
    this.plans = plans;
    this.budgets = budgets;
    this.credits = credits;
    this.events = events;
    this.audit = audit;
    this.properties = properties;
    this.clock = clock;
  }

  /**
   * An invoice, and the hash of what is stored.
   *
   * @param hash null for a draft
   */
  public record Issued(Invoice invoice, @Nullable String hash) {}

  /** The latest period first: the running one, those that are not closed yet, closed ones. */
  public List<Issued> list(TenantId organization) {
    return transactions.within(
        organization,
        () ->
            periods(organization).descendingSet().stream()
                .map(one -> issued(organization, one))
                .toList());
  }

  /** Periods that have an invoice: those of entries, closed ones and the running one. */
  private TreeSet<BillingPeriod> periods(TenantId organization) {
    TreeSet<BillingPeriod> periods = new TreeSet<>(usage.billedPeriods(organization));
    periods.add(BillingPeriod.at(clock.instant()));
    periods.addAll(rows.closedPeriods(organization));
    return periods;
  }

  /**
   * The invoice of a period that has begun.
   *
   * @param period as the caller wrote it
   * @throws ProblemException {@code not_found}
   */
  public Issued get(TenantId organization, String period) {
    BillingPeriod wanted = BillingPeriod.of(period).orElseThrow(Invoices::noSuchPeriod);
    return transactions.within(
        organization,
        () -> {
          if (!periods(organization).contains(wanted)) {
            throw noSuchPeriod();
          }
          return issued(organization, wanted);
        });
  }

  private static ProblemException noSuchPeriod() {
    return ProblemException.of(
        ErrorCode.NOT_FOUND,
        "There is no invoice of that period. A period is a month in UTC such as 2026-11, from the"
            + " first use to the running month.");
  }

  /** The invoice of a period as it was when the ledger ended there; a closed one as issued. */
  Issued asOf(TenantId organization, BillingPeriod period, long through) {
    Optional<StoredInvoice> closed = rows.find(organization, period);
    return closed.isPresent()
        ? new Issued(closed.get().invoice(), closed.get().hash())
        : new Issued(draft(organization, period, through), null);
  }

  /** Whether there is an invoice of the period. */
  boolean has(TenantId organization, BillingPeriod period) {
    return periods(organization).contains(period);
  }

  private Issued issued(TenantId organization, BillingPeriod period) {
    Optional<StoredInvoice> closed = rows.find(organization, period);
    return closed.isPresent()
        ? new Issued(closed.get().invoice(), closed.get().hash())
        : new Issued(draft(organization, period, usage.head(organization).sequence()), null);
  }

  /**
   * What a period would cost under another plan all through.
   *
   * @param period as the caller wrote it; null for the one before the running one
   * @throws ProblemException {@code invalid_request}
   */
  public Invoice preview(TenantId organization, @Nullable String period, PricePlan plan) {
    return transactions.within(
        organization, () -> compared(organization, period, new PlanTimeline(plan, List.of())));
  }

  /** What it costs under the plans in force then. */
  public Invoice asPlanned(TenantId organization, @Nullable String period) {
    return transactions.within(
        organization, () -> compared(organization, period, plans.timeline(organization)));
  }

  /** What it would cost under the plans in force then with less. */
  Invoice withLess(TenantId organization, @Nullable String period, UsageReduction less) {
    return transactions.within(
        organization,
        () -> {
          BillingPeriod wanted = previewed(period);
          long through = usage.head(organization).sequence();
          return new InvoiceCalculator(plans.timeline(organization))
              .draft(
                  wanted,
                  (from, to) -> reduced(organization, from, to, wanted, through, less),
                  late(organization, wanted, through),
                  through,
                  closesAt(wanted));
        });
  }

  private Map<String, BigDecimal> reduced(
      TenantId organization,
      Instant from,
      Instant to,
      BillingPeriod period,
      long through,
      UsageReduction less) {
    Map<String, BigDecimal> sums = usage.sums(organization, from, to, period, through);
    usage
        .sumsOf(organization, less.metrics(), from, to, period, through)
        .forEach(
            one -> take(sums, one.meter(), less.lostOf(one.metric(), one.meter(), one.units())));
    usage
        .sumsOfStores(organization, from, to, period, through)
        .forEach(one -> take(sums, one.meter(), less.lostOfStore(one.level(), one.units())));
    less.budgets()
        .forEach(
            (environment, series) ->
                take(
                    sums,
                    "active_series",
                    usage.seriesBeyond(
                        organization, environment, series, from, to, period, through)));
    return sums;
  }

  private static void take(Map<String, BigDecimal> sums, String meter, BigDecimal gone) {
    sums.computeIfPresent(meter, (same, all) -> all.subtract(gone).max(BigDecimal.ZERO));
  }

  /** Without credits, which would hide the difference. */
  private Invoice compared(TenantId organization, @Nullable String period, PlanTimeline timeline) {
    return draft(
        organization,
        previewed(period),
        new InvoiceCalculator(timeline),
        usage.head(organization).sequence());
  }

  private BillingPeriod previewed(@Nullable String period) {
    BillingPeriod running = BillingPeriod.at(clock.instant());
    if (period == null) {
      return running.previous();
    }
    return BillingPeriod.of(period)
        .filter(one -> one.compareTo(running) <= 0)
        .orElseThrow(
            () ->
                ProblemException.of(
                    ErrorCode.INVALID_REQUEST,
                    "period must be a month such as 2026-11, the running one or earlier."));
  }

  Instant closesAt(BillingPeriod period) {
    return period.end().plus(properties.closingDelay());
  }

  /** The draft by the plans in force and the credits that are left, from the ledger up to there. */
  private Invoice draft(TenantId organization, BillingPeriod period, long through) {
    return draft(
        organization,
        period,
        new InvoiceCalculator(
            plans.timeline(organization), credits.before(organization, period, null)),
        through);
  }

  private Invoice draft(
      TenantId organization, BillingPeriod period, InvoiceCalculator calculator, long through) {
    return calculator.draft(
        period,
        sums(organization, period, through),
        late(organization, period, through),
        through,
        closesAt(period));
  }

  private List<Late> late(TenantId organization, BillingPeriod period, long through) {
    List<Late> late = new ArrayList<>();
    for (JdbcUsageEntries.LatePeriod one : usage.latePeriods(organization, period, through)) {
      late.add(
          new Late(
              one.period(),
              one.reason(),
              sums(organization, period.previous(), through),
              sums(organization, period, through)));
    }
    return late;
  }

  private InvoiceCalculator.Quantities sums(
      TenantId organization, BillingPeriod billedBy, long through) {
    return (from, to) -> usage.sums(organization, from, to, billedBy, through);
  }

  /**
   * Closes a period: stores its invoice and posts it. From then on what arrives for the period goes
   * to the next open one.
   *
   * @return false when it is closed already, or not due
   * @throws org.springframework.dao.PessimisticLockingFailureException when another transaction
   *     keeps the ledger of the organisation for longer than two seconds
   */
  public boolean close(TenantId organization, BillingPeriod period) {
    return transactions.within(
        organization,
        () -> {
          // No entry of the period is on its way while the head is locked.
          long through = usage.lockHead(organization, LOCK_PATIENCE).sequence();
          Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
          if (now.isBefore(closesAt(period)) || rows.closedPeriods(organization).contains(period)) {
            return false;
          }
          Invoice invoice =
              draft(organization, period, through).closed(organization.value() + "-" + period, now);
          String document = BillingJson.of(invoice);
          rows.add(
              organization,
              period,
              invoice,
              document,
              UsageChain.hash(document),
              postings(invoice));
          credits.use(organization, period, invoice);
          audit.done(
              organization,
              BILLING,
              "invoice.close",
              "invoice",
              period.toString(),
              null,
              Map.of(
                  "number", invoice.number(),
                  "total", invoice.total().toPlainString(),
                  "currency", invoice.currency()));
          tell(organization, invoice, UsageChain.hash(document));
          return true;
        });
  }

  private void tell(TenantId organization, Invoice invoice, String hash) {
    Map<String, Object> data = new TreeMap<>();
    data.put("number", invoice.number());
    data.put("period", invoice.period());
    data.put("currency", invoice.currency());
    data.put("subtotal", invoice.subtotal().toPlainString());
    data.put("tax", invoice.taxAmount().toPlainString());
    data.put("total", invoice.total().toPlainString());
    data.put("hash", hash);
    events.publishEvent(
        new BillingNotice(
            organization,
            "invoice.closed",
            "invoice-" + invoice.number(),
            Objects.requireNonNull(invoice.closedAt()),
            budgets.find(organization).budget().integrations(),
            "info",
            "Invoice " + invoice.number(),
            "The invoice of %s is closed: %s %s with tax."
                .formatted(invoice.period(), invoice.total().toPlainString(), invoice.currency()),
            data));
  }

  /** Every line is posted from receivable to its account; what it gives back, the other way. */
  static List<Posting> postings(Invoice invoice) {
    List<Posting> postings = new ArrayList<>();
    for (InvoiceLine line : invoice.lines()) {
      String account =
          switch (line.kind()) {
            case USAGE, BASE_FEE, MINIMUM -> "revenue";
            case DISCOUNT -> "discount";
            case ADJUSTMENT -> "adjustment";
            case CREDIT -> "credit";
          };
      post(postings, account, line.amount(), line.id());
    }
    post(postings, "tax", invoice.taxAmount(), "tax");
    return postings;
  }

  private static void post(
      List<Posting> postings, String account, BigDecimal amount, String lineId) {
    if (amount.signum() == 0) {
      return;
    }
    boolean isOwed = amount.signum() > 0;
    BigDecimal sum = amount.abs();
    postings.add(
        new Posting(
            "receivable", isOwed ? sum : BigDecimal.ZERO, isOwed ? BigDecimal.ZERO : sum, lineId));
    postings.add(
        new Posting(
            account, isOwed ? BigDecimal.ZERO : sum, isOwed ? sum : BigDecimal.ZERO, lineId));
  }

  /**
   * What closed invoices do not agree with: what is stored, the ledger, the plans, the postings.
   */
  List<String> faults(TenantId organization) {
    List<String> faults = new ArrayList<>();
    for (StoredInvoice stored : rows.all(organization)) {
      String name = "Invoice " + stored.period();
      if (!UsageChain.hash(stored.document()).equals(stored.hash())) {
        faults.add(name + " was changed: its hash does not fit it.");
        continue;
      }
      Invoice issued = stored.invoice();
      Invoice again =
          draft(
              organization,
              stored.period(),
              new InvoiceCalculator(
                  plans.timeline(organization),
                  credits.before(organization, stored.period(), issued.closedAt())),
              issued.throughSequence());
      faults.addAll(differences(name, issued, again));
      if (rows.balance(organization, stored.period()).signum() != 0) {
        faults.add(name + " is not balanced: its debits are not its credits.");
      }
    }
    return faults;
  }

  private static List<String> differences(String name, Invoice issued, Invoice again) {
    List<String> differences = new ArrayList<>();
    for (InvoiceLine line : issued.lines()) {
      String now =
          again.lines().stream()
              .filter(other -> other.id().equals(line.id()))
              .findFirst()
              .map(other -> other.amount().toPlainString())
              .orElse("no such line");
      if (!now.equals(line.amount().toPlainString())) {
        differences.add(
            name
                + ", line "
                + line.id()
                + ": issued "
                + line.amount().toPlainString()
                + ", but ledger and plan give "
                + now
                + ".");
      }
    }
    if (differences.isEmpty() && again.total().compareTo(issued.total()) != 0) {
      differences.add(
          name
              + ": issued "
              + issued.total()
              + ", but ledger and plan give "
              + again.total()
              + ".");
    }
    return differences;
  }
}
