package io.tidemark.platform.billing;

import io.tidemark.platform.shared.TenantId;

/** Knows which integrations can be told of bills; the module of notifications does. */
@FunctionalInterface
public interface NoticeReceivers {

  /** Whether the organisation has that integration, in any of its environments. */
  boolean exists(TenantId organization, String integration);
}
