package io.tidemark.flink.model.alert;

import java.util.List;

/** Rules of tests; time begins at {@link #BEGINNING}. */
final class TestRules {

  static final long MINUTE = MinuteTotals.MINUTE_MS;
  static final long BEGINNING = 1_767_225_600_000L;

  private TestRules() {}

  static long minute(int number) {
    return BEGINNING + number * MINUTE;
  }

  static AlertRule above(double threshold) {
    return above(threshold, threshold, 0, 0);
  }

  static AlertRule above(
      double threshold, double recoveryThreshold, int forMinutes, int recoverAfterMinutes) {
    return rule(
        AlertSignal.of(SignalKind.THRESHOLD, "load", Aggregation.SUM),
        new AlertComparison(AlertComparison.Operator.GT, threshold, recoveryThreshold),
        forMinutes,
        recoverAfterMinutes);
  }

  static AlertRule rule(
      AlertSignal signal, AlertComparison comparison, int forMinutes, int recoverAfterMinutes) {
    return new AlertRule(
        "org-a",
        "env-a",
        "rule-a",
        1,
        BEGINNING,
        BEGINNING,
        "critical",
        signal,
        comparison,
        forMinutes,
        recoverAfterMinutes,
        3,
        false);
  }

  static AlertRule version(AlertRule rule, long version, long effectiveFrom, double threshold) {
    return version(
        rule,
        version,
        effectiveFrom,
        rule.enabledFrom(),
        new AlertComparison(AlertComparison.Operator.GT, threshold, threshold));
  }

  /** The same rule, which was disabled since. */
  static AlertRule enabled(AlertRule rule, long version, long from) {
    return version(rule, version, from, from, rule.comparison());
  }

  private static AlertRule version(
      AlertRule rule,
      long version,
      long effectiveFrom,
      long enabledFrom,
      AlertComparison comparison) {
    return new AlertRule(
        rule.organizationId(),
        rule.environmentId(),
        rule.ruleId(),
        version,
        effectiveFrom,
        enabledFrom,
        rule.severity(),
        rule.signal(),
        comparison,
        rule.forMinutes(),
        rule.recoverAfterMinutes(),
        rule.noDataAfterMinutes(),
        rule.early());
  }

  static AlertSignal grouped(AlertSignal signal) {
    return new AlertSignal(
        signal.kind(),
        signal.metric(),
        signal.aggregation(),
        signal.matchers(),
        false,
        List.of("metric.queue"),
        signal.windowMinutes(),
        signal.offsetMinutes(),
        signal.percent(),
        signal.denominatorMetric(),
        signal.denominatorAggregation(),
        signal.quantile(),
        signal.days(),
        signal.limit());
  }
}
