package io.tidemark.platform.access.application;

import io.tidemark.platform.shared.TenantId;

/** Remembers that a key was used. On the way of every request, so it must not wait for anything. */
public interface ApiKeyUsageListener {

  void used(TenantId organization, String keyId);

  /** Its hash was made with an earlier pepper, and is to be stored as it is made now. */
  void outdated(TenantId organization, String keyId, byte[] before, byte[] present);
}
