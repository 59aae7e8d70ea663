package io.tidemark.platform.billing;

import io.tidemark.platform.alerting.AlertRule;
import io.tidemark.platform.alerting.AlertRules;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.dashboards.DashboardDefinition;
import io.tidemark.platform.dashboards.DashboardSummary;
import io.tidemark.platform.dashboards.Dashboards;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environment;
import io.tidemark.platform.tenancy.Environments;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Prices a month as if less had been sent, and lists rules and dashboards that use what would be
 * missing.
 */
@Service
public class WhatIf {

  private static final int ALL = 100;
  private static final Duration LOOKED_BACK = Duration.ofDays(30);

  private final Invoices invoices;
  private final Environments environments;
  private final AlertRules rules;
  private final Dashboards dashboards;
  private final JdbcUsageEntries usage;
  private final TenantTransactions transactions;
  private final Clock clock;

  WhatIf(
      Invoices invoices,
      JdbcUsageEntries usage,
      TenantTransactions transactions,
      Environments environments,
      AlertRules rules,
      Dashboards dashboards,
      Clock clock) {
    this.invoices = invoices;
    this.usage = usage;
    this.transactions = transactions;
    this.environments = environments;
    this.rules = rules;
    this.dashboards = dashboards;
    this.clock = clock;
  }

  /** An alert rule on a metric of which less would be left. */
  public record Affected(String environment, String rule, String name, String metric) {}

  /** A dashboard that shows such a metric. */
  public record AffectedDashboard(String id, String title, String metric) {}

  /** How many queries read such a metric within the last 30 days. */
  public record Reads(String metric, BigDecimal queries) {}

  /** The month as it is and as it would be, and who would miss what. */
  public record Answer(
      Invoice current,
      Invoice preview,
      List<Affected> affected,
      List<AffectedDashboard> dashboards,
      List<Reads> reads) {}

  /**
   * Prices a month with less.
   *
   * @param period as the caller wrote it; null for the one before the running one
   * @throws ProblemException {@code invalid_request}
   */
  public Answer ask(TenantId organization, @Nullable String period, UsageReduction less) {
    List<String> faults = new ArrayList<>();
    check(faults, "metrics", less.points());
    check(faults, "series", less.series());
    check(faults, "storage", less.storage());
    less.budgets()
        .forEach(
            (environment, series) -> {
              if (!TenantId.isWellFormed(environment)) {
                faults.add(
                    "series_budgets: an environment_id is not of the form of an identifier.");
              }
              if (series < 0) {
                faults.add("series_budgets: series of " + environment + " must not be negative.");
              }
            });
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    Set<String> metrics = less.metrics();
    Map<String, BigDecimal> reads =
        transactions.within(
            organization,
            () -> usage.reads(organization, metrics, clock.instant().minus(LOOKED_BACK)));
    return new Answer(
        invoices.asPlanned(organization, period),
        invoices.withLess(organization, period, less),
        affected(organization, metrics),
        shown(organization, metrics),
        reads.entrySet().stream()
            .map(one -> new Reads(one.getKey(), one.getValue()))
            .sorted(Comparator.comparing(Reads::metric))
            .toList());
  }

  private static void check(List<String> faults, String field, Map<String, Integer> kept) {
    kept.forEach(
        (name, percent) -> {
          boolean isText = name.codePoints().noneMatch(point -> point == 0 || isHalf(point));
          if (name.isEmpty() || !isText) {
            faults.add(field + ": a name has whole characters other than null.");
          }
          if (percent < 0 || percent > ALL) {
            faults.add(field + ": keep_percent of " + name + " must be 0 to 100.");
          }
        });
  }

  private List<AffectedDashboard> shown(TenantId organization, Set<String> metrics) {
    List<AffectedDashboard> shown = new ArrayList<>();
    if (metrics.isEmpty()) {
      return shown;
    }
    for (DashboardSummary one : all(page -> dashboards.list(organization, page))) {
      dashboards.get(organization, one.id()).definition().panels().stream()
          .map(DashboardDefinition.Panel::metric)
          .filter(metric -> metric != null && metrics.contains(metric))
          .distinct()
          .forEach(metric -> shown.add(new AffectedDashboard(one.id(), one.title(), metric)));
    }
    return shown;
  }

  /** One half of a character that takes two in UTF-16, alone. */
  private static boolean isHalf(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }

  private List<Affected> affected(TenantId organization, Set<String> metrics) {
    if (metrics.isEmpty()) {
      return List.of();
    }
    List<Affected> affected = new ArrayList<>();
    for (Environment environment : all(page -> environments.list(organization, page))) {
      String place = environment.id().value();
      for (AlertRule rule : all(page -> rules.list(organization, place, page))) {
        for (String metric : metrics(rule)) {
          if (rule.definition().enabled() && metrics.contains(metric)) {
            affected.add(new Affected(place, rule.id(), rule.definition().name(), metric));
          }
        }
      }
    }
    return affected;
  }

  private static List<String> metrics(AlertRule rule) {
    String metric = Objects.requireNonNull(rule.definition().condition()).metric();
    String denominator = rule.definition().condition().denominatorMetric();
    return denominator == null || denominator.equals(metric)
        ? List.of(metric)
        : List.of(metric, denominator);
  }

  private static <T> List<T> all(Function<PageRequest, Page<T>> list) {
    List<T> all = new ArrayList<>();
    String after = "";
    while (after != null) {
      Page<T> page = list.apply(new PageRequest(PageRequest.MAX, after));
      all.addAll(page.items());
      after = page.next();
    }
    return all;
  }
}
