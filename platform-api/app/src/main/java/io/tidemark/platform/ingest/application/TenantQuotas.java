package io.tidemark.platform.ingest.application;

import io.tidemark.platform.ingest.domain.Allowance;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;

/** Answers how much a tenant may send. */
@FunctionalInterface
public interface TenantQuotas {

  /**
   * The limits in force now. Asked for every request, before anything of it is read: to be answered
   * from memory.
   */
  Allowance of(TenantId organization, EnvironmentId environment);
}
