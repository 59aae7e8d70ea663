package io.tidemark.platform.access.application;

import io.tidemark.platform.shared.TenantId;
import org.jspecify.annotations.Nullable;

/** Notes that credentials were refused; never fails and never waits. */
public interface AuthFailureListener {

  /**
   * Credentials were refused.
   *
   * @param organization of the key that they named; null when they named none that exists
   * @param keyId of that key; null as above
   */
  void refused(@Nullable TenantId organization, @Nullable String keyId);
}
