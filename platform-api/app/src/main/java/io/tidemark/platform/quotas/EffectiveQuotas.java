package io.tidemark.platform.quotas;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import org.jspecify.annotations.Nullable;

/** Answers what may be sent now. */
@FunctionalInterface
public interface EffectiveQuotas {

  /**
   * What an organisation and one of its environments may send.
   *
   * @param environment null when nothing is set for the environment
   */
  record Allowance(QuotaAmounts organization, @Nullable QuotaAmounts environment) {}

  /**
   * Answered from memory; a change is in force when it is heard of, and within 2 seconds. Never
   * fails.
   */
  Allowance of(TenantId organization, EnvironmentId environment);
}
