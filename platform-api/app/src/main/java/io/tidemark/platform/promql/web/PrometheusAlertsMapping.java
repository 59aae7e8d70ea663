package io.tidemark.platform.promql.web;

import io.tidemark.contracts.prometheusapi.model.ActiveAlert;
import io.tidemark.contracts.prometheusapi.model.AlertingRule;
import io.tidemark.contracts.prometheusapi.model.AlertsAnswer;
import io.tidemark.contracts.prometheusapi.model.AlertsAnswerData;
import io.tidemark.contracts.prometheusapi.model.AnswerStatus;
import io.tidemark.contracts.prometheusapi.model.RuleGroup;
import io.tidemark.contracts.prometheusapi.model.RulesAnswer;
import io.tidemark.contracts.prometheusapi.model.RulesAnswerData;
import io.tidemark.platform.alerting.AlertCondition;
import io.tidemark.platform.alerting.AlertEvaluation;
import io.tidemark.platform.alerting.AlertGroup;
import io.tidemark.platform.alerting.AlertRule;
import io.tidemark.platform.alerting.AlertRuleDefinition;
import io.tidemark.platform.promql.application.PrometheusAlerts.ActiveRule;
import io.tidemark.platform.promql.application.PrometheusAlerts.AlertList;
import io.tidemark.platform.promql.application.PrometheusAlerts.EnvironmentRules;
import io.tidemark.platform.promql.domain.MetricLabels;
import io.tidemark.platform.query.domain.ExportText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Alert rules in the shape of Prometheus' API. */
final class PrometheusAlertsMapping {

  private static final String NEVER = "0001-01-01T00:00:00Z";
  private static final double MINUTE = 60;

  private static final List<String> NOT_ALLOWED =
      List.of("the key has no scope alerts:read, so that no rules and no alerts are listed");

  /** Which rules are asked for; empty lists for all. */
  record Wish(@Nullable String type, List<String> rules, List<String> groups, boolean withAlerts) {

    private boolean wants(AlertRule rule) {
      return rules.isEmpty() || rules.contains(rule.definition().name());
    }
  }

  private PrometheusAlertsMapping() {}

  static RulesAnswer rules(AlertList listing, Wish wish) {
    List<RuleGroup> groups =
        "record".equals(wish.type())
            ? List.of()
            : listing.environments().stream()
                .filter(
                    each -> wish.groups().isEmpty() || wish.groups().contains(each.environment()))
                .map(each -> group(each, Objects.requireNonNull(listing.evaluation()), wish))
                .filter(group -> !group.getRules().isEmpty())
                .toList();
    return new RulesAnswer(AnswerStatus.SUCCESS, new RulesAnswerData(groups))
        .warnings(warnings(listing));
  }

  static AlertsAnswer alerts(AlertList listing) {
    List<ActiveAlert> alerts =
        listing.environments().stream()
            .flatMap(each -> each.rules().stream().flatMap(rule -> alerts(each, rule).stream()))
            .toList();
    return new AlertsAnswer(AnswerStatus.SUCCESS, new AlertsAnswerData(alerts))
        .warnings(warnings(listing));
  }

  private static @Nullable List<String> warnings(AlertList listing) {
    return listing.mayRead() ? null : NOT_ALLOWED;
  }

  private static RuleGroup group(
      EnvironmentRules environment, AlertEvaluation evaluation, Wish wish) {
    List<AlertingRule> rules =
        environment.rules().stream()
            .filter(each -> wish.wants(each.rule()))
            .map(each -> rule(environment, each, evaluation, wish))
            .toList();
    return new RuleGroup(
        environment.environment(), "tidemark", MINUTE, 0, rules, decided(evaluation), 0.0);
  }

  private static AlertingRule rule(
      EnvironmentRules environment, ActiveRule rule, AlertEvaluation evaluation, Wish wish) {
    AlertRuleDefinition definition = rule.rule().definition();
    AlertCondition condition = Objects.requireNonNull(definition.condition());
    List<ActiveAlert> alerts = alerts(environment, rule);
    String state =
        alerts.stream().anyMatch(alert -> alert.getState().equals("firing"))
            ? "firing"
            : alerts.isEmpty() ? "inactive" : "pending";
    String health = !definition.enabled() ? "unknown" : evaluation.isBlind() ? "err" : "ok";
    return new AlertingRule(
            definition.name(),
            words(condition),
            condition.forMinutes() * MINUTE,
            condition.recoverAfterMinutes() * MINUTE,
            labels(environment, definition),
            definition.annotations(),
            wish.withAlerts() ? alerts : List.of(),
            health,
            state,
            "alerting",
            decided(evaluation),
            0.0)
        .lastError(health.equals("err") ? evaluation.reason() : null);
  }

  private static List<ActiveAlert> alerts(EnvironmentRules environment, ActiveRule rule) {
    return rule.active().stream().map(group -> alert(environment, rule.rule(), group)).toList();
  }

  private static ActiveAlert alert(EnvironmentRules environment, AlertRule rule, AlertGroup group) {
    AlertRuleDefinition definition = rule.definition();
    Map<String, String> labels = labels(environment, definition);
    group.labels().forEach((label, value) -> labels.put(labelName(label), value));
    labels.put("alertname", definition.name());
    return new ActiveAlert(
        labels,
        definition.annotations(),
        group.state(),
        group.since().toString(),
        group.value() == null ? "NaN" : PrometheusApiMapping.text(group.value()));
  }

  private static Map<String, String> labels(
      EnvironmentRules environment, AlertRuleDefinition definition) {
    Map<String, String> labels = new TreeMap<>();
    definition.labels().forEach((label, value) -> labels.put(labelName(label), value));
    labels.put("severity", definition.severity());
    labels.put(MetricLabels.ENVIRONMENT, environment.environment());
    return labels;
  }

  private static String labelName(String label) {
    boolean isKey = label.startsWith("metric.") || label.startsWith("resource.");
    return ExportText.labelName(isKey ? label.substring(label.indexOf('.') + 1) : label);
  }

  private static String decided(AlertEvaluation evaluation) {
    Instant until = evaluation.completeUntil();
    return until == null ? NEVER : until.toString();
  }

  /** As in "threshold: sum of io.acme.requests over 5m by topic > 10". */
  private static String words(AlertCondition condition) {
    String groups =
        condition.perSeries()
            ? " of each series"
            : condition.groupBy().isEmpty()
                ? ""
                : condition.groupBy().stream()
                    .map(PrometheusAlertsMapping::labelName)
                    .collect(Collectors.joining(", ", " by ", ""));
    String matchers =
        condition.matchers().stream()
            .map(
                matcher ->
                    labelName(Objects.requireNonNull(matcher.label()))
                        + switch (matcher.operator()) {
                          case "ne" -> "!=";
                          case "regex" -> "=~";
                          case "not_regex" -> "!~";
                          default -> "=";
                        }
                        + '"'
                        + matcher.value()
                        + '"')
            .collect(Collectors.joining(", "));
    String compared =
        switch (condition.operator()) {
          case "gt" -> " > ";
          case "gte" -> " >= ";
          case "lt" -> " < ";
          default -> " <= ";
        };
    return condition.kind()
        + ": "
        + condition.aggregation()
        + " of "
        + condition.metric()
        + (matchers.isEmpty() ? "" : "{" + matchers + "}")
        + " over "
        + condition.windowMinutes()
        + "m"
        + groups
        + compared
        + PrometheusApiMapping.text(condition.threshold());
  }
}
