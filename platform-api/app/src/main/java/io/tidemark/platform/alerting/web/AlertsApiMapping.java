package io.tidemark.platform.alerting.web;

import io.tidemark.contracts.controlapi.model.AlertAggregation;
import io.tidemark.contracts.controlapi.model.AlertCondition;
import io.tidemark.contracts.controlapi.model.AlertEvaluation;
import io.tidemark.contracts.controlapi.model.AlertGroupState;
import io.tidemark.contracts.controlapi.model.AlertKind;
import io.tidemark.contracts.controlapi.model.AlertOperator;
import io.tidemark.contracts.controlapi.model.AlertRule;
import io.tidemark.contracts.controlapi.model.AlertRuleDraft;
import io.tidemark.contracts.controlapi.model.AlertSeverity;
import io.tidemark.contracts.controlapi.model.AlertState;
import io.tidemark.contracts.controlapi.model.AlertTransition;
import io.tidemark.contracts.controlapi.model.AlertTransitionKind;
import io.tidemark.contracts.controlapi.model.Incident;
import io.tidemark.contracts.controlapi.model.IncidentEvent;
import io.tidemark.contracts.controlapi.model.IncidentEventKind;
import io.tidemark.contracts.controlapi.model.IncidentState;
import io.tidemark.contracts.controlapi.model.LabelMatcher;
import io.tidemark.contracts.controlapi.model.LabelMatcherOperator;
import io.tidemark.platform.alerting.AlertGroup;
import io.tidemark.platform.alerting.AlertRuleDefinition;
import io.tidemark.platform.alerting.RecordedTransition;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Alert rules and incidents between the contract and the module. */
final class AlertsApiMapping {

  private static final int NO_DATA_AFTER = 5;

  /** The most telling state first: that of a rule is the first that one of its groups has. */
  private static final List<String> STATES =
      List.of("firing", "blind", "no_data", "pending", "normal");

  private AlertsApiMapping() {}

  static AlertRuleDefinition definition(AlertRuleDraft draft) {
    return new AlertRuleDefinition(
        draft.getName(),
        draft.getDescription() == null ? "" : draft.getDescription(),
        draft.getEnabled() == null || draft.getEnabled(),
        draft.getSeverity() == null ? null : draft.getSeverity().getValue(),
        draft.getCondition() == null ? null : condition(draft.getCondition()),
        draft.getLabels() == null ? Map.of() : draft.getLabels(),
        draft.getAnnotations() == null ? Map.of() : draft.getAnnotations(),
        draft.getRunbookUrl());
  }

  static io.tidemark.platform.alerting.AlertCondition condition(AlertCondition sent) {
    return new io.tidemark.platform.alerting.AlertCondition(
        sent.getKind() == null ? "threshold" : sent.getKind().getValue(),
        sent.getMetric(),
        sent.getAggregation() == null ? "sum" : sent.getAggregation().getValue(),
        sent.getMatchers() == null
            ? List.of()
            : sent.getMatchers().stream().map(AlertsApiMapping::matcher).toList(),
        Boolean.TRUE.equals(sent.getPerSeries()),
        sent.getGroupBy() == null
            ? List.of()
            : sent.getGroupBy().stream().map(label -> label == null ? "" : label).toList(),
        or(sent.getWindowMinutes(), 1),
        sent.getOperator() == null ? null : sent.getOperator().getValue(),
        sent.getThreshold() == null ? Double.NaN : sent.getThreshold(),
        sent.getRecoveryThreshold(),
        or(sent.getForMinutes(), 0),
        or(sent.getRecoverAfterMinutes(), 0),
        or(sent.getNoDataAfterMinutes(), NO_DATA_AFTER),
        or(sent.getOffsetMinutes(), 0),
        Boolean.TRUE.equals(sent.getPercent()),
        sent.getDenominatorMetric(),
        sent.getDenominatorAggregation() == null
            ? null
            : sent.getDenominatorAggregation().getValue(),
        sent.getQuantile() == null ? 0 : sent.getQuantile(),
        or(sent.getDays(), 0),
        sent.getLimit(),
        Boolean.TRUE.equals(sent.getEarly()));
  }

  private static io.tidemark.platform.alerting.AlertCondition.Matcher matcher(LabelMatcher sent) {
    if (sent == null) {
      return new io.tidemark.platform.alerting.AlertCondition.Matcher(null, null, null);
    }
    return new io.tidemark.platform.alerting.AlertCondition.Matcher(
        sent.getLabel(),
        sent.getOperator() == null ? null : sent.getOperator().getValue(),
        sent.getValue());
  }

  private static int or(@Nullable Integer value, int absent) {
    return value == null ? absent : value;
  }

  static AlertRule shown(
      io.tidemark.platform.alerting.AlertRule rule,
      List<AlertGroup> groups,
      io.tidemark.platform.alerting.@Nullable AlertEvaluation evaluation) {
    AlertRuleDefinition definition = rule.definition();
    return new AlertRule(
            rule.id(),
            definition.name(),
            definition.description(),
            definition.enabled(),
            AlertSeverity.fromValue(definition.severity()),
            shown(Objects.requireNonNull(definition.condition())),
            definition.labels(),
            definition.annotations(),
            rule.version(),
            utc(rule.effectiveFrom()),
            utc(rule.createdAt()),
            utc(rule.updatedAt()),
            state(groups, evaluation),
            groups.stream().map(AlertsApiMapping::shown).toList())
        .runbookUrl(definition.runbookUrl())
        .evaluation(evaluation == null ? null : shown(evaluation));
  }

  private static AlertEvaluation shown(io.tidemark.platform.alerting.AlertEvaluation evaluation) {
    return new AlertEvaluation(evaluation.isBlind(), evaluation.groups())
        .completeUntil(utc(evaluation.completeUntil()))
        .behindSeconds(evaluation.behind() == null ? null : evaluation.behind().toSeconds())
        .decidedUntil(utc(evaluation.decidedUntil()))
        .groupsSeen(evaluation.groupsSeen())
        .reason(evaluation.reason())
        .lastTransitionMinute(utc(evaluation.lastTransition()));
  }

  private static AlertState state(
      List<AlertGroup> groups, io.tidemark.platform.alerting.@Nullable AlertEvaluation evaluation) {
    String ofRule =
        evaluation == null
            ? ""
            : evaluation.isBlind() ? "blind" : evaluation.isWithoutRows() ? "no_data" : "";
    return AlertState.fromValue(
        STATES.stream()
            .filter(
                state ->
                    state.equals(ofRule)
                        || groups.stream().anyMatch(group -> group.state().equals(state)))
            .findFirst()
            .orElse("normal"));
  }

  private static AlertGroupState shown(AlertGroup group) {
    return new AlertGroupState(
            group.labels(),
            AlertState.fromValue(group.state()),
            utc(group.since()),
            utc(group.decidedMinute()))
        .value(finite(group.value()))
        .reason(group.reason().isEmpty() ? null : group.reason());
  }

  private static AlertCondition shown(io.tidemark.platform.alerting.AlertCondition condition) {
    return new AlertCondition(
            condition.metric(),
            AlertOperator.fromValue(condition.operator()),
            condition.threshold())
        .kind(AlertKind.fromValue(condition.kind()))
        .aggregation(AlertAggregation.fromValue(condition.aggregation()))
        .matchers(
            condition.matchers().stream()
                .map(
                    matcher ->
                        new LabelMatcher(
                            matcher.label(),
                            LabelMatcherOperator.fromValue(matcher.operator()),
                            matcher.value()))
                .toList())
        .perSeries(condition.perSeries())
        .groupBy(condition.groupBy())
        .windowMinutes(condition.windowMinutes())
        .recoveryThreshold(condition.recoveryThreshold())
        .forMinutes(condition.forMinutes())
        .recoverAfterMinutes(condition.recoverAfterMinutes())
        .noDataAfterMinutes(condition.noDataAfterMinutes())
        .offsetMinutes(condition.offsetMinutes() == 0 ? null : condition.offsetMinutes())
        .percent(condition.percent() ? Boolean.TRUE : null)
        .denominatorMetric(condition.denominatorMetric())
        .denominatorAggregation(
            condition.denominatorAggregation() == null
                ? null
                : AlertAggregation.fromValue(condition.denominatorAggregation()))
        .quantile(condition.quantile() == 0 ? null : condition.quantile())
        .days(condition.days() == 0 ? null : condition.days())
        .limit(condition.limit())
        .early(condition.isEarly() ? Boolean.TRUE : null);
  }

  static AlertTransition shown(RecordedTransition recorded) {
    var transition = recorded.transition();
    return new AlertTransition(
            transition.id(),
            transition.ruleId(),
            transition.ruleVersion(),
            transition.groupId(),
            transition.group(),
            transition.sequence(),
            AlertTransitionKind.fromValue(transition.kind().name().toLowerCase(Locale.ROOT)),
            AlertState.fromValue(transition.state()),
            utc(transition.minute()),
            utc(transition.since()),
            transition.threshold(),
            utc(transition.completeUntil()),
            transition.early(),
            transition.revised(),
            transition.released(),
            utc(recorded.recordedAt()))
        .incidentId(transition.incidentId().isEmpty() ? null : transition.incidentId())
        .until(utc(transition.until()))
        .value(transition.value())
        .reason(transition.reason().isEmpty() ? null : transition.reason());
  }

  static Incident shown(
      io.tidemark.platform.alerting.Incident incident,
      List<io.tidemark.platform.alerting.IncidentEvent> timeline) {
    return new Incident(
            incident.id(),
            incident.ruleId(),
            incident.ruleName(),
            AlertSeverity.fromValue(incident.severity()),
            IncidentState.fromValue(incident.state()),
            AlertState.fromValue(incident.alertState()),
            incident.group(),
            incident.labels(),
            incident.annotations(),
            utc(incident.startedAt()),
            utc(incident.openedAt()),
            incident.version())
        .runbookUrl(incident.runbookUrl())
        .endedAt(utc(incident.endedAt()))
        .value(finite(incident.value()))
        .threshold(finite(incident.threshold()))
        .acknowledgedBy(incident.acknowledgedBy())
        .acknowledgedAt(utc(incident.acknowledgedAt()))
        .assignedTo(incident.assignedTo())
        .suppressedBy(incident.suppressedBy())
        .early(incident.isEarly() ? Boolean.TRUE : null)
        .timeline(
            timeline.isEmpty() ? null : timeline.stream().map(AlertsApiMapping::shown).toList());
  }

  private static IncidentEvent shown(io.tidemark.platform.alerting.IncidentEvent event) {
    var detail = event.detail();
    return new IncidentEvent(utc(event.at()), IncidentEventKind.fromValue(event.kind()))
        .transitionId(detail.transitionId())
        .state(detail.state() == null ? null : AlertState.fromValue(detail.state()))
        .minute(utc(detail.minute()))
        .value(finite(detail.value()))
        .completeUntil(utc(detail.completeUntil()))
        .ruleVersion(detail.ruleVersion())
        .actor(detail.actor())
        .text(detail.text())
        .suppressedBy(detail.suppressedBy());
  }

  /** JSON has no infinity: a forecast that never reaches its limit shows no value. */
  static @Nullable Double finite(@Nullable Double value) {
    return value == null || !Double.isFinite(value) ? null : value;
  }

  static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}
