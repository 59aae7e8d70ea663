package io.tidemark.platform.promql.application;

import io.tidemark.platform.alerting.AlertEvaluation;
import io.tidemark.platform.alerting.AlertGroup;
import io.tidemark.platform.alerting.AlertRule;
import io.tidemark.platform.alerting.AlertRules;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Environment;
import io.tidemark.platform.tenancy.Environments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists the alert rules of an organisation, and what is pending or firing of them. */
public final class PrometheusAlerts {

  private final AlertRules rules;
  private final Environments environments;

  /** The use case. */
  public PrometheusAlerts(AlertRules rules, Environments environments) {
    this.rules = rules;
    this.environments = environments;
  }

  /** A rule with its groups that are pending or firing. */
  public record ActiveRule(AlertRule rule, List<AlertGroup> active) {}

  /** The rules of an environment. */
  public record EnvironmentRules(String environment, List<ActiveRule> rules) {}

  /**
   * What there is.
   *
   * @param evaluation how far rules are decided; null where nothing may be seen
   * @param mayRead whether the caller may see rules
   */
  public record AlertList(
      List<EnvironmentRules> environments, @Nullable AlertEvaluation evaluation, boolean mayRead) {}

  /** The rules of all environments; none for a caller without {@code alerts:read}. */
  public AlertList list(Caller caller) {
    caller.require(Permission.METRICS_READ);
    if (!caller.permissions().contains(Permission.ALERTS_READ)) {
      return new AlertList(List.of(), null, false);
    }
    TenantId organization = caller.organization();
    List<EnvironmentRules> listed = new ArrayList<>();
    for (Environment environment : all(page -> environments.list(organization, page))) {
      String id = environment.id().value();
      Map<String, List<AlertGroup>> active =
          rules.active(organization, id).stream()
              .collect(Collectors.groupingBy(AlertGroup::ruleId));
      List<ActiveRule> ofEnvironment =
          all(page -> rules.list(organization, id, page)).stream()
              .map(rule -> new ActiveRule(rule, active.getOrDefault(rule.id(), List.of())))
              .toList();
      if (!ofEnvironment.isEmpty()) {
        listed.add(new EnvironmentRules(id, ofEnvironment));
      }
    }
    return new AlertList(listed, rules.evaluation(organization), true);
  }

  private static <T> List<T> all(Function<PageRequest, Page<T>> pages) {
    List<T> all = new ArrayList<>();
    String after = "";
    while (after != null) {
      Page<T> page = pages.apply(new PageRequest(PageRequest.MAX, after));
      all.addAll(page.items());
      after = page.next();
    }
    return all;
  }
}
