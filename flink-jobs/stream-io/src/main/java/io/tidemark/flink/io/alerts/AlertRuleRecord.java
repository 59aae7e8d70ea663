package io.tidemark.flink.io.alerts;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.model.alert.Aggregation;
import io.tidemark.flink.model.alert.AlertComparison;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.LabelMatcher;
import io.tidemark.flink.model.alert.SignalKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a record of the topic of alert rules says, by the contract control/v1/alert_rule.proto. */
public sealed interface AlertRuleRecord {

  /** Records of a greater form mean something that this version does not know. */
  int FORM = 1;

  record Active(AlertRule rule) implements AlertRuleRecord {}

  record Gone() implements AlertRuleRecord {}

  /** {@code why} is one English sentence or more. */
  record Unreadable(String why) implements AlertRuleRecord {}

  /** Total: nothing is thrown, whatever the bytes are. */
  static AlertRuleRecord of(ControlRecord record) {
    try {
      return record.isTombstone()
          ? new Gone()
          : rule(record.key(), AlertRuleControl.parseFrom(record.value()));
    } catch (InvalidProtocolBufferException | RuntimeException e) {
      return new Unreadable("Not a record of the contract: " + e.getMessage());
    }
  }

  private static AlertRuleRecord rule(String key, AlertRuleControl control) {
    if (control.getForm() > FORM || control.getForm() < 1) {
      return new Unreadable(
          "Its form is " + control.getForm() + "; this version reads form " + FORM + ".");
    }
    var sent = control.getSignal();
    SignalKind kind = SignalKind.named(sent.getKind());
    Aggregation aggregation = Aggregation.named(sent.getAggregation());
    var operator = AlertComparison.Operator.named(control.getComparison().getOperator());
    Aggregation below =
        sent.getDenominatorAggregation().isEmpty()
            ? Aggregation.SUM
            : Aggregation.named(sent.getDenominatorAggregation());
    List<LabelMatcher> matchers = matchers(sent.getMatchersList());
    if (kind == null
        || aggregation == null
        || operator == null
        || below == null
        || matchers == null) {
      return new Unreadable("A kind, an aggregation or an operator is not known.");
    }
    AlertRule rule =
        new AlertRule(
            control.getOrganizationId(),
            control.getEnvironmentId(),
            control.getRuleId(),
            control.getVersion(),
            control.getEffectiveFromUnixMs(),
            control.getEnabledFromUnixMs(),
            control.getSeverity(),
            new AlertSignal(
                kind,
                sent.getMetric(),
                aggregation,
                matchers,
                sent.getPerSeries(),
                sent.getGroupByList().stream().sorted().toList(),
                sent.getWindowMinutes(),
                sent.getOffsetMinutes(),
                sent.getPercent(),
                sent.getDenominatorMetric(),
                below,
                sent.getQuantile(),
                sent.getDays(),
                sent.getLimit()),
            new AlertComparison(
                operator,
                control.getComparison().getThreshold(),
                control.getComparison().hasRecoveryThreshold()
                    ? control.getComparison().getRecoveryThreshold()
                    : control.getComparison().getThreshold()),
            control.getForMinutes(),
            control.getRecoverAfterMinutes(),
            control.getNoDataAfterMinutes(),
            control.getEarly());
    if (!key.equals(rule.key())) {
      return new Unreadable("The key names another rule than the value.");
    }
    List<String> faults = rule.faults();
    return faults.isEmpty() ? new Active(rule) : new Unreadable(String.join(" ", faults));
  }

  private static @Nullable List<LabelMatcher> matchers(
      List<io.tidemark.contracts.control.v1.LabelMatcher> sent) {
    List<LabelMatcher> matchers = new ArrayList<>();
    for (var matcher : sent) {
      LabelMatcher.Operator operator = LabelMatcher.Operator.named(matcher.getOperator());
      if (operator == null) {
        return null;
      }
      matchers.add(new LabelMatcher(matcher.getLabel(), operator, matcher.getValue()));
    }
    return matchers;
  }
}
