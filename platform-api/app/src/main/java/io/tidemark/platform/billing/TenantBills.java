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

  /**
   * A tenant's month.
   *
   * @param cost null without rates
   */
  public record TenantBill(
      TenantId organization,
      PlanPrice charged,
      BigDecimal points,
      BigDecimal previousPoints,
      BigDecimal cost,
      List<PlanPrice> byPlan) {}

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
  public Page<TenantBill> list(String period, PageRequest page) {
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
        cost(use.units()),
        byPlan);
  }

  private BigDecimal cost(Map<String, BigDecimal> units) {
    if (properties.costs().isEmpty()) {
      return null;
    }
    BigDecimal cost = BigDecimal.ZERO;
    for (Map.Entry<String, BigDecimal> rate : properties.costs().entrySet()) {
      cost = cost.add(rate.getValue().multiply(units.getOrDefault(rate.getKey(), BigDecimal.ZERO)));
    }
    return cost;
  }
}
