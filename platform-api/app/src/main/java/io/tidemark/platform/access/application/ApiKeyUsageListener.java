package io.tidemark.platform.access.application;

import io.tidemark.platform.shared.TenantId;

/** Remembers that a key was used. On the way of every request, so it must not wait for anything. */
@FunctionalInterface
public interface ApiKeyUsageListener {

  void used(TenantId organization, String keyId);
}
