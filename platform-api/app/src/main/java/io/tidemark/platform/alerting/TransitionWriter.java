package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;
import java.util.List;

/** Records transitions of an organisation in one transaction. */
@FunctionalInterface
interface TransitionWriter {

  /**
   * Records them in this order, or none of them.
   *
   * @param transitions of the organisation; those that were recorded before change nothing
   */
  void record(TenantId organization, List<AlertTransition> transitions);
}
