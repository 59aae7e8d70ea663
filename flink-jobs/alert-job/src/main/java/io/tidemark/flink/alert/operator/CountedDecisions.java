package io.tidemark.flink.alert.operator;

import io.tidemark.flink.model.alert.AlertGroupEvaluator;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.MinuteTotals;
import org.jspecify.annotations.Nullable;

/** A group whose decisions are counted as what a rule evaluated. */
final class CountedDecisions implements AlertGroupEvaluator.Store {

  private final HeldGroup group;
  private final EvaluatedHours hours;
  private final String rule;
  private final String metric;
  private final long decidedBefore;

  /**
   * @param decidedBefore minutes before it were decided; deciding them anew is not counted
   */
  CountedDecisions(
      HeldGroup group, EvaluatedHours hours, String rule, String metric, long decidedBefore) {
    this.group = group;
    this.hours = hours;
    this.rule = rule;
    this.metric = metric;
    this.decidedBefore = decidedBefore;
  }

  @Override
  public @Nullable MinuteTotals totals(int side, long start) {
    return group.totals(side, start);
  }

  @Override
  public @Nullable AlertStatus decided(long minute) {
    return group.decided(minute);
  }

  @Override
  public void decide(long minute, AlertStatus status) {
    if (minute >= decidedBefore) {
      hours.count(rule, metric, minute);
    }
    group.decide(minute, status);
  }

  @Override
  public void forgetDecision(long minute) {
    group.forgetDecision(minute);
  }

  @Override
  public void forgetTotals(int side, long start) {
    group.forgetTotals(side, start);
  }
}
