package io.tidemark.flink.alert.signal;

import io.tidemark.flink.model.alert.AlertGroupEvaluator;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.MinuteTotals;
import org.jspecify.annotations.Nullable;

/** A group of a rule, whose decisions are counted as what the rule evaluated. */
final class CountedDecisions implements AlertGroupEvaluator.Store {

  private final HeldSignal signal;
  private final RuleGroups rule;
  private final int number;
  private final TrackedGroup group;
  private final EvaluationCounts counts;
  private final long decidedBefore;

  /**
   * @param group minutes before it is decided until were decided; deciding them anew is not counted
   */
  CountedDecisions(
      HeldSignal signal, RuleGroups rule, int number, TrackedGroup group, EvaluationCounts counts) {
    this.signal = signal;
    this.rule = rule;
    this.number = number;
    this.group = group;
    this.counts = counts;
    this.decidedBefore = group.group().decidedUntil();
  }

  @Override
  public @Nullable MinuteTotals totals(int side, long start) {
    return signal.totals(side, start, number);
  }

  @Override
  public @Nullable AlertStatus decided(long minute) {
    return rule.decided(number, group, minute);
  }

  @Override
  public void decide(long minute, AlertStatus status) {
    if (minute >= decidedBefore) {
      counts.evaluated(rule, minute, 1);
    }
    group.decide(minute, status);
  }

  @Override
  public void forgetDecision(long minute) {
    // The next one takes its slot.
  }

  @Override
  public void forgetTotals(int side, long start) {
    // The signal does, when no rule of it needs them.
  }
}
