package io.tidemark.platform.billing;

import io.tidemark.platform.shared.TenantId;

/**
 * Lists the integrations that can receive billing notices; implemented by the module of
 * notifications.
 */
@FunctionalInterface
public interface NoticeReceivers {

  /** Whether the organisation has that integration, in any of its environments. */
  boolean exists(TenantId organization, String integration);
}
