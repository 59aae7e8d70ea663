package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;

/** Tells which store has rows of which age. */
@FunctionalInterface
public interface StoreTiers {

  /** As it is now, for rows of an organisation. */
  StoreTierRanges of(TenantId organization);
}
