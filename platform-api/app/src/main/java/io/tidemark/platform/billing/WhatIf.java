package io.tidemark.platform.billing;

import io.tidemark.platform.alerting.AlertRule;
import io.tidemark.platform.alerting.AlertRules;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Environment;
import io.tidemark.platform.tenancy.Environments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.springframework.stereotype.Service;

/** Prices a month as if less had been sent, and says who would miss it. */
@Service
public class WhatIf {

  private static final int ALL = 100;

  private final Invoices invoices;
  private final Environments environments;
  private final AlertRules rules;

  WhatIf(Invoices invoices, Environments environments, AlertRules rules) {
    this.invoices = invoices;
    this.environments = environments;
    this.rules = rules;
  }

  /** An alert rule on a metric of which less would be left. */
  public record Affected(String environment, String rule, String name, String metric) {}

  /** The month as it is and as it would be. */
  public record Answer(Invoice current, Invoice preview, List<Affected> affected) {}

  /**
   * Prices a month with a part of some metrics.
   *
   * @param period as the caller wrote it; null for the one before the running one
   * @param kept percent that is left, by metric
   * @throws ProblemException {@code invalid_request}
   */
  public Answer ask(TenantId organization, String period, Map<String, Integer> kept) {
    List<String> faults = new ArrayList<>();
    kept.forEach(
        (metric, percent) -> {
          boolean isText = metric.codePoints().noneMatch(point -> point == 0 || isHalf(point));
          if (metric.isEmpty() || !isText) {
            faults.add("metrics: a metric has a name of whole characters other than null.");
          }
          if (percent < 0 || percent > ALL) {
            faults.add("metrics: keep_percent of " + metric + " must be 0 to 100.");
          }
        });
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    return new Answer(
        invoices.asPlanned(organization, period),
        invoices.withLess(organization, period, kept),
        affected(organization, kept));
  }

  /** One half of a character that takes two in UTF-16, alone. */
  private static boolean isHalf(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }

  private List<Affected> affected(TenantId organization, Map<String, Integer> kept) {
    List<Affected> affected = new ArrayList<>();
    for (Environment environment : all(page -> environments.list(organization, page))) {
      String place = environment.id().value();
      for (AlertRule rule : all(page -> rules.list(organization, place, page))) {
        for (String metric : metrics(rule)) {
          if (rule.definition().enabled() && kept.getOrDefault(metric, ALL) < ALL) {
            affected.add(new Affected(place, rule.id(), rule.definition().name(), metric));
          }
        }
      }
    }
    return affected;
  }

  private static List<String> metrics(AlertRule rule) {
    String metric = rule.definition().condition().metric();
    String denominator = rule.definition().condition().denominatorMetric();
    return denominator == null || denominator.equals(metric)
        ? List.of(metric)
        : List.of(metric, denominator);
  }

  private static <T> List<T> all(Function<PageRequest, Page<T>> list) {
    List<T> all = new ArrayList<>();
    String after = "";
    while (after != null) {
      Page<T> page = list.apply(new PageRequest(PageRequest.GREATEST, after));
      all.addAll(page.items());
      after = page.next();
    }
    return all;
  }
}
