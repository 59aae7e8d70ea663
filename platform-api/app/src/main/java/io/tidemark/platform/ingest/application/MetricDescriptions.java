package io.tidemark.platform.ingest.application;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.util.Map;

/** Hears what senders say of their metrics. */
@FunctionalInterface
public interface MetricDescriptions {

  /** Nobody wants to know. */
  MetricDescriptions NONE = (organization, environment, descriptions) -> {};

  /**
   * Takes in the descriptions of a batch. Comes with every batch, so it must not wait, nor throw.
   *
   * @param descriptions by name of metric
   */
  void sent(TenantId organization, EnvironmentId environment, Map<String, String> descriptions);
}
