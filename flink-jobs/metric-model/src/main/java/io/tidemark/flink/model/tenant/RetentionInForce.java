package io.tidemark.flink.model.tenant;

import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.Retention;

/**
 * The retention of an environment and the one before its last change. Which of them a batch is
 * judged by depends on when the batch was received, not on when a job hears of the change: so every
 * job takes the same points.
 *
 * @param now for batches received at {@code fromUnixMs} or later
 * @param fromUnixMs 0 when it always held
 * @param before for batches received earlier
 */
public record RetentionInForce(Retention now, long fromUnixMs, Retention before) {

  public static final RetentionInForce PLAN = always(PlanDefaults.RETENTION);

  public static RetentionInForce always(Retention retention) {
    return new RetentionInForce(retention, 0, retention);
  }

  public Retention at(long receivedAtUnixMs) {
    return receivedAtUnixMs < fromUnixMs ? before : now;
  }
}
