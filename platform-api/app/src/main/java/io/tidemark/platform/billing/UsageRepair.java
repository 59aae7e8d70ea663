package io.tidemark.platform.billing;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;

/** Enters usage records that the ledger lacks, from where the pipeline wrote them. */
public interface UsageRepair {

  /**
   * What was done.
   *
   * @param records of the hours that the topic has
   * @param entered entries that the ledger lacked
   */
  record Repaired(long records, int entered) {}

  /**
   * Repairs hours that begin between two times.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code store_unavailable}
   */
  Repaired repair(TenantId organization, Instant from, Instant to);
}
