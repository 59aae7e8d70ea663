package io.tidemark.platform.access.application;

import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.shared.TenantId;

/** Keeps keys. */
@FunctionalInterface
public interface ApiKeyWriter {

  /** Stores the key of the organisation, replacing secret and scopes of one with the same id. */
  void store(TenantId organization, StoredKey key);
}
