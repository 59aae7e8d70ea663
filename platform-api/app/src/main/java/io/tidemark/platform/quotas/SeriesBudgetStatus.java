package io.tidemark.platform.quotas;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.Optional;

/** Answers whether an environment is refused because it has more series than a budget. */
@FunctionalInterface
public interface SeriesBudgetStatus {

  /** A budget that the pipeline counts series against. */
  enum Budget {
    ACTIVE_SERIES,
    NEW_SERIES_PER_MINUTE
  }

  /**
   * Why, and until when.
   *
   * @param limit in force
   * @param retryAfter in whole seconds, at least one
   */
  record Refusal(Budget budget, long limit, Duration retryAfter) {}

  /**
   * Answered from memory; a change of the budgets is in force within 2 seconds at most. Never
   * fails.
   */
  Optional<Refusal> of(TenantId organization, EnvironmentId environment);
}
