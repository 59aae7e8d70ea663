package io.tidemark.platform.alerting.backtest;

import io.tidemark.flink.model.alert.Aggregation;
import io.tidemark.flink.model.alert.AlertComparison;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.LabelMatcher;
import io.tidemark.flink.model.alert.SignalKind;
import io.tidemark.platform.alerting.AlertCondition;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A condition as the rule that the pipeline would be told of. */
final class BacktestRule {

  private static final String ID = "rule-preview";

  private BacktestRule() {}

  /** The condition has no faults. */
  static AlertRule of(
      TenantId organization, EnvironmentId environment, AlertCondition condition, Instant from) {
    return new AlertRule(
        organization.value(),
        environment.value(),
        ID,
        1,
        from.toEpochMilli(),
        from.toEpochMilli(),
        "info",
        signal(condition),
        comparison(condition),
        condition.forMinutes(),
        condition.recoverAfterMinutes(),
        condition.noDataAfterMinutes(),
        false);
  }

  private static AlertComparison comparison(AlertCondition condition) {
    return new AlertComparison(
        Objects.requireNonNull(
            AlertComparison.Operator.named(Objects.requireNonNull(condition.operator()))),
        condition.threshold(),
        condition.recoveryThreshold() == null
            ? condition.threshold()
            : condition.recoveryThreshold());
  }

  private static AlertSignal signal(AlertCondition condition) {
    return new AlertSignal(
        Objects.requireNonNull(SignalKind.named(Objects.requireNonNull(condition.kind()))),
        Objects.requireNonNull(condition.metric()),
        aggregation(condition.aggregation()),
        condition.matchers().stream()
            .map(
                matcher ->
                    new LabelMatcher(
                        Objects.requireNonNull(matcher.label()),
                        Objects.requireNonNull(
                            LabelMatcher.Operator.named(
                                Objects.requireNonNull(matcher.operator()))),
                        Objects.requireNonNull(matcher.value())))
            .toList(),
        condition.perSeries(),
        condition.groupBy().stream().sorted().toList(),
        condition.windowMinutes(),
        condition.offsetMinutes(),
        condition.percent(),
        condition.denominatorMetric() == null ? "" : condition.denominatorMetric(),
        aggregation(condition.denominatorAggregation()),
        condition.quantile(),
        condition.days(),
        condition.limit() == null ? 0 : condition.limit());
  }

  private static Aggregation aggregation(@Nullable String name) {
    return name == null ? Aggregation.SUM : Objects.requireNonNull(Aggregation.named(name));
  }
}
