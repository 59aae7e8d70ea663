package io.tidemark.platform.query.application;

import io.tidemark.platform.query.domain.StoreAges;

/** Tells which store has rows of which age. */
@FunctionalInterface
public interface KnowStoreAges {

  /** As it is now. */
  StoreAges now();
}
