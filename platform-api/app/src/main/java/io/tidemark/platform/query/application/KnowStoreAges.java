package io.tidemark.platform.query.application;

import io.tidemark.platform.query.domain.StoreAges;
import io.tidemark.platform.shared.TenantId;

/** Tells which store has rows of which age. */
@FunctionalInterface
public interface KnowStoreAges {

  /** As it is now, for rows of an organisation. */
  StoreAges of(TenantId organization);
}
