package io.tidemark.platform.alerting.kafka;

import io.tidemark.contracts.control.v1.AlertComparison;
import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.contracts.control.v1.AlertSignal;
import io.tidemark.contracts.control.v1.LabelMatcher;
import io.tidemark.platform.alerting.AlertCondition;
import io.tidemark.platform.alerting.AlertRule;
import io.tidemark.platform.alerting.AlertRulePublisher;
import io.tidemark.platform.outbox.ControlRecords;
import io.tidemark.platform.shared.TenantId;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** Alert rules as records of the topic control.alert-rules.v1. */
@Component
class AlertRuleRecords implements AlertRulePublisher {

  static final String TOPIC = "control.alert-rules.v1";

  private static final int FORM = 1;

  private final ControlRecords records;

  AlertRuleRecords(ControlRecords records) {
    this.records = records;
  }

  @Override
  public void publish(TenantId organization, AlertRule rule) {
    var unused =
        records.put(
            organization,
            TOPIC,
            key(organization, rule),
            version -> record(organization, rule).toByteArray());
  }

  @Override
  public void withdraw(TenantId organization, AlertRule rule) {
    records.remove(organization, TOPIC, key(organization, rule));
  }

  static AlertRuleControl record(TenantId organization, AlertRule rule) {
    AlertCondition condition = rule.definition().condition();
    AlertComparison.Builder comparison =
        AlertComparison.newBuilder()
            .setOperator(Objects.requireNonNull(condition).operator())
            .setThreshold(condition.threshold());
    if (condition.recoveryThreshold() != null) {
      comparison.setRecoveryThreshold(condition.recoveryThreshold());
    }
    return AlertRuleControl.newBuilder()
        .setOrganizationId(organization.value())
        .setEnvironmentId(rule.environment().value())
        .setRuleId(rule.id())
        .setVersion(rule.version())
        .setForm(FORM)
        .setEffectiveFromUnixMs(rule.effectiveFrom().toEpochMilli())
        .setEnabledFromUnixMs(rule.enabledFrom().toEpochMilli())
        .setSeverity(rule.definition().severity())
        .setSignal(signal(condition))
        .setComparison(comparison)
        .setForMinutes(condition.forMinutes())
        .setRecoverAfterMinutes(condition.recoverAfterMinutes())
        .setNoDataAfterMinutes(condition.noDataAfterMinutes())
        .setEarly(condition.isEarly())
        .build();
  }

  private static AlertSignal signal(AlertCondition condition) {
    AlertSignal.Builder signal =
        AlertSignal.newBuilder()
            .setKind(condition.kind())
            .setMetric(condition.metric())
            .setAggregation(condition.aggregation())
            .setPerSeries(condition.perSeries())
            .addAllGroupBy(condition.groupBy())
            .setWindowMinutes(condition.windowMinutes())
            .setOffsetMinutes(condition.offsetMinutes())
            .setPercent(condition.percent())
            .setQuantile(condition.quantile())
            .setDays(condition.days())
            .setLimit(condition.limit() == null ? 0 : condition.limit());
    if (condition.denominatorMetric() != null) {
      signal.setDenominatorMetric(condition.denominatorMetric());
    }
    if (condition.denominatorAggregation() != null) {
      signal.setDenominatorAggregation(condition.denominatorAggregation());
    }
    condition
        .matchers()
        .forEach(
            matcher ->
                signal.addMatchers(
                    LabelMatcher.newBuilder()
                        .setLabel(matcher.label())
                        .setOperator(matcher.operator())
                        .setValue(matcher.value())));
    return signal.build();
  }

  private static String key(TenantId organization, AlertRule rule) {
    return organization + "/" + rule.environment() + "/" + rule.id();
  }
}
