package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;

/** Tells the pipeline of alert rules, in the running transaction of the organisation. */
public interface AlertRulePublisher {

  void publish(TenantId organization, AlertRule rule);

  /** The rule is deleted or not enabled. */
  void withdraw(TenantId organization, AlertRule rule);
}
