package io.tidemark.flink.model.tenant;

import io.tidemark.flink.model.budget.TenantLimits;
import java.time.Duration;

/**
 * One environment, as its control record says.
 *
 * @param deletedFromUnixMs batches received then or later are refused; {@link #NEVER} if none are
 * @param limits its budgets, plan defaults filled in
 * @param retention how long its data are kept, plan defaults filled in
 * @param version of the record; counts up
 */
public record EnvironmentSettings(
    long deletedFromUnixMs, TenantLimits limits, RetentionInForce retention, long version) {

  public static final long NEVER = Long.MAX_VALUE;

  /** Between a deletion and the first batch it refuses: time for every job to hear of it. */
  public static final Duration NOTICE = Duration.ofMinutes(1);
}
