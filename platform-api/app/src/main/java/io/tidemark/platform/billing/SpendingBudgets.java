package io.tidemark.platform.billing;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.billing.JdbcSpendingBudgets.Lowered;
import io.tidemark.platform.billing.JdbcSpendingBudgets.Reached;
import io.tidemark.platform.billing.JdbcSpendingBudgets.Stored;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.SpendingBudget;
import io.tidemark.platform.quotas.HolderQuotas;
import io.tidemark.platform.quotas.QuotaOverrides;
import io.tidemark.platform.quotas.Quotas;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/**
 * Spending budgets of organisations: what is spent, who is notified, and the quota that they lower.
 */
@Service
public class SpendingBudgets {

  private static final Actor BILLING = Actor.system("billing");
  private static final int ALL = 100;
  private static final Pattern INTEGRATION = Pattern.compile("[A-Za-z0-9-]{1,64}");

  private final TenantTransactions transactions;
  private final JdbcSpendingBudgets rows;
  private final Invoices invoices;
  private final Quotas quotas;
  private final NoticeReceivers receivers;
  private final ApplicationEventPublisher events;
  private final AuditLog audit;
  private final Clock clock;

  SpendingBudgets(
      TenantTransactions transactions,
      JdbcSpendingBudgets rows,
      Invoices invoices,
      Quotas quotas,
      NoticeReceivers receivers,
      ApplicationEventPublisher events,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.invoices = invoices;
    this.quotas = quotas;
    this.receivers = receivers;
    this.events = events;
    this.audit = audit;
    this.clock = clock;
  }

  /** A threshold and when it was reached. */
  public record Threshold(int percent, BigDecimal spent, Instant reachedAt) {}

  /**
   * A budget and how the running month stands.
   *
   * @param loweredTo the quota that it lowered; null while it has not
   */
  public record Standing(
      SpendingBudget budget,
      long version,
      BillingPeriod period,
      String currency,
      BigDecimal spent,
      List<Threshold> reached,
      @Nullable Long loweredTo) {}

  public Standing get(TenantId organization) {
    return transactions.within(
        organization,
        () -> {
          Stored stored = rows.find(organization);
          BillingPeriod period = BillingPeriod.at(clock.instant());
          Invoice draft = invoices.get(organization, period.toString()).invoice();
          return new Standing(
              stored.budget(),
              stored.version(),
              period,
              draft.currency(),
              draft.charged(),
              rows.reached(organization, period).stream()
                  .map(one -> new Threshold(one.percent(), one.spent(), one.at()))
                  .toList(),
              rows.lowered(organization).map(Lowered::pointsPerSecond).orElse(null));
        });
  }

  /**
   * Replaces it. What is spent already is looked at at once.
   *
   * @throws ProblemException {@code invalid_request}, {@code precondition_failed}
   */
  public Standing change(
      TenantId organization, Actor actor, ExpectedVersion expected, SpendingBudget budget) {
    return transactions.within(
        organization,
        () -> {
          refuse(faults(organization, budget));
          Stored before = rows.find(organization);
          expected.check(before.version());
          if (!rows.put(organization, budget, before.version(), now())) {
            // Somebody else was between the look and the change.
            ExpectedVersion.NONE.check(before.version());
          }
          audit.done(
              organization,
              actor,
              "spending_budget.change",
              "spending_budget",
              organization.value(),
              shown(before.budget()),
              shown(budget));
          watch(organization);
          return get(organization);
        });
  }

  private List<String> faults(TenantId organization, SpendingBudget budget) {
    List<String> faults = new ArrayList<>(budget.faults());
    for (String integration : budget.integrations()) {
      if (!INTEGRATION.matcher(integration).matches()
          || !receivers.exists(organization, integration)) {
        faults.add("integration_ids: the organisation has no integration of that identifier.");
      }
    }
    long most = quotas.ofOrganization(organization).inForce().points();
    if (budget.pointsPerSecond() != null
        && (budget.pointsPerSecond() < 1
            || (budget.pointsPerSecond() > most && rows.lowered(organization).isEmpty()))) {
      faults.add("points_per_second must be 1 to " + most + ", the quota in force now.");
    }
    return faults;
  }

  private static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  private static Map<String, Object> shown(SpendingBudget budget) {
    Map<String, Object> shown = new TreeMap<>();
    shown.put("thresholds", budget.thresholds());
    shown.put("integration_ids", budget.integrations());
    if (budget.amount() != null) {
      shown.put("amount", budget.amount().toPlainString());
    }
    if (budget.pointsPerSecond() != null) {
      shown.put("points_per_second", budget.pointsPerSecond());
    }
    return shown;
  }

  /** Tells thresholds that were reached, each once a month, and lowers or gives back the quota. */
  public void watch(TenantId organization) {
    transactions.run(
        organization,
        () -> {
          BillingPeriod period = BillingPeriod.at(clock.instant());
          SpendingBudget budget = rows.find(organization).budget();
          Invoice draft = invoices.get(organization, period.toString()).invoice();
          adjustQuota(organization, period, budget, budget.isSpent(draft.charged()));
          for (int percent : budget.reached(draft.charged())) {
            Reached reached =
                new Reached(percent, budget.amount(), draft.charged(), draft.currency(), now());
            if (rows.reach(organization, period, reached)) {
              tell(organization, period, budget, reached);
            }
          }
        });
  }

  private void adjustQuota(
      TenantId organization, BillingPeriod period, SpendingBudget budget, boolean isSpent) {
    Optional<Lowered> lowered = rows.lowered(organization);
    Long wanted = isSpent ? budget.pointsPerSecond() : null;
    if (lowered.isPresent()) {
      Lowered now = lowered.get();
      if (wanted != null && now.period().equals(period) && now.pointsPerSecond() == wanted) {
        return;
      }
      giveBack(organization, now);
    }
    if (wanted != null) {
      lower(organization, period, wanted);
    }
  }

  private void lower(TenantId organization, BillingPeriod period, long pointsPerSecond) {
    HolderQuotas before = quotas.ofOrganization(organization);
    if (before.inForce().points() <= pointsPerSecond) {
      return;
    }
    QuotaOverrides set = before.set();
    rows.lower(organization, new Lowered(period, pointsPerSecond, set.pointsPerSecond()), now());
    quotas.change(
        organization,
        BILLING,
        ExpectedVersion.ANY,
        new QuotaOverrides(set.requestsPerSecond(), set.bytesPerSecond(), pointsPerSecond));
  }

  /** What somebody set by hand since stays. */
  private void giveBack(TenantId organization, Lowered lowered) {
    QuotaOverrides set = quotas.ofOrganization(organization).set();
    if (set.pointsPerSecond() != null && set.pointsPerSecond() == lowered.pointsPerSecond()) {
      quotas.change(
          organization,
          BILLING,
          ExpectedVersion.ANY,
          new QuotaOverrides(set.requestsPerSecond(), set.bytesPerSecond(), lowered.previous()));
    }
    rows.giveBack(organization);
  }

  private void tell(
      TenantId organization, BillingPeriod period, SpendingBudget budget, Reached reached) {
    boolean isLowered = rows.lowered(organization).isPresent();
    Map<String, Object> data = new TreeMap<>();
    data.put("period", period.toString());
    data.put("percent", reached.percent());
    data.put("budget", Objects.requireNonNull(reached.amount()).toPlainString());
    data.put("spent", reached.spent().toPlainString());
    data.put("currency", reached.currency());
    data.put("quota_lowered", isLowered);
    String text =
        "%s %s of the budget of %s %s for %s are spent, which is %d percent.%s"
            .formatted(
                reached.spent().toPlainString(),
                reached.currency(),
                reached.amount().toPlainString(),
                reached.currency(),
                period,
                budget.percent(reached.spent()),
                isLowered ? " The quota is lowered until the month ends." : "");
    events.publishEvent(
        new BillingNotice(
            organization,
            "budget.threshold_reached",
            "budget-" + organization.value() + "-" + period + "-" + reached.percent(),
            reached.at(),
            budget.integrations(),
            reached.percent() >= ALL ? "critical" : "warning",
            reached.percent() + " percent of the budget of " + period + " is spent",
            text,
            data));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
