package io.tidemark.platform.billing;

import io.tidemark.platform.billing.CrossTenantUsage.Units;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.PricePlan;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** What tenants use, cost and pay, for who runs Tidemark. */
@Service
public class TenantBills {

  private final CrossTenantUsage usage;
  private final Invoices invoices;
  private final Plans plans;
  private final BillingProperties properties;
  private final Clock clock;

  TenantBills(
      CrossTenantUsage usage,
      Invoices invoices,
      Plans plans,
      BillingProperties properties,
      Clock clock) {
    this.usage = usage;
    this.invoices = invoices;
    this.plans = plans;
    this.properties = properties;
    this.clock = clock;
  }

  /** What a month is charged under a plan. */
  public record PlanPrice(String plan, String currency, BigDecimal charged) {}

  /** What units of a meter cost to run. */
  public record MeterCost(String meter, BigDecimal units, BigDecimal cost) {}

  /**
   * A tenant's month.
   *
   * @param costs by meter that has a rate, the most costly first; empty without rates
   */
  public record TenantBill(
      TenantId organization,
      PlanPrice charged,
      BigDecimal points,
      BigDecimal previousPoints,
      List<MeterCost> costs,
      List<PlanPrice> byPlan) {

    public TenantBill {
      costs = List.copyOf(costs);
      byPlan = List.copyOf(byPlan);
    }

    /** What all costs together; null without rates. */
    public @Nullable BigDecimal cost() {
      return costs.isEmpty()
          ? null
          : costs.stream().map(MeterCost::cost).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** What is charged beyond what it costs; null without rates. */
    public @Nullable BigDecimal margin() {
      BigDecimal cost = cost();
      return cost == null ? null : charged.charged().subtract(cost);
    }
  }

  /** A tenant's units by meter, now and before. */
  private record Use(
      TenantId organization, Map<String, BigDecimal> units, Map<String, BigDecimal> before) {

    BigDecimal points() {
      return units.getOrDefault("points", BigDecimal.ZERO);
    }

    BigDecimal previousPoints() {
      return before.getOrDefault("points", BigDecimal.ZERO);
    }

    BigDecimal change() {
      return points().subtract(previousPoints()).abs();
    }
  }

  /**
   * Those whose points changed most first.
   *
   * @param period as the caller wrote it; null for the running one
   * @throws ProblemException {@code invalid_request}
   */
  public Page<TenantBill> list(@Nullable String period, PageRequest page) {
    BillingPeriod running = BillingPeriod.at(clock.instant());
    BillingPeriod wanted =
        period == null
            ? running
            : BillingPeriod.of(period)
                .filter(one -> one.compareTo(running) <= 0)
                .orElseThrow(
                    () ->
                        ProblemException.of(
                            ErrorCode.INVALID_REQUEST,
                            "period must be a month such as 2026-11, the running one or earlier."));
    List<Use> all = used(wanted);
    int from = UsageReport.place(page.after());
    int to = Math.min(all.size(), from + page.limit());
    List<TenantBill> bills =
        from >= to
            ? List.of()
            : all.subList(from, to).stream().map(use -> bill(use, wanted)).toList();
    return new Page<>(bills, to < all.size() ? Integer.toString(to) : null);
  }

  private List<Use> used(BillingPeriod period) {
    Map<TenantId, Use> byTenant = new HashMap<>();
    for (Units one : usage.of(period)) {
      Use use =
          byTenant.computeIfAbsent(
              one.organization(), tenant -> new Use(tenant, new HashMap<>(), new HashMap<>()));
      use.units().put(one.meter(), one.units());
      use.before().put(one.meter(), one.before());
    }
    List<Use> all = new ArrayList<>(byTenant.values());
    all.sort(
        Comparator.comparing(Use::change)
            .reversed()
            .thenComparing(use -> use.organization().value()));
    return all;
  }

  private TenantBill bill(Use use, BillingPeriod period) {
    TenantId organization = use.organization();
    List<PlanPrice> byPlan = new ArrayList<>();
    for (PricePlan plan : plans.choices()) {
      Invoice priced = invoices.preview(organization, period.toString(), plan);
      byPlan.add(new PlanPrice(plan.name(), priced.currency(), priced.charged()));
    }
    Invoice draft = invoices.asPlanned(organization, period.toString());
    return new TenantBill(
        organization,
        new PlanPrice(plans.get(organization).current().name(), draft.currency(), draft.charged()),
        use.points(),
        use.previousPoints(),
        costs(use.units()),
        byPlan);
  }

  private List<MeterCost> costs(Map<String, BigDecimal> units) {
    return properties.costs().entrySet().stream()
        .map(
            rate -> {
              BigDecimal used = units.getOrDefault(rate.getKey(), BigDecimal.ZERO);
              return new MeterCost(rate.getKey(), used, rate.getValue().multiply(used));
            })
        .sorted(Comparator.comparing(MeterCost::cost).reversed().thenComparing(MeterCost::meter))
        .toList();
  }
}
