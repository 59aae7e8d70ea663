package io.tidemark.flink.model.completeness;

import java.util.List;

/**
 * Rows of all windows that end at or before a time are committed.
 *
 * @param completeUntil exclusive, event time, milliseconds since the Unix epoch
 * @param statedAt when that was so, processing time
 * @param lagging tenants that are complete up to less
 */
public record CompletenessStatement(long completeUntil, long statedAt, List<TenantLag> lagging) {

  public CompletenessStatement {
    lagging = List.copyOf(lagging);
  }
}
