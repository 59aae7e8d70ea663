package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;

/** Tells of what kind a metric is. */
@FunctionalInterface
public interface MetricTypeResolver {

  /** The kind of stored series of the metric; COUNTER when nothing is stored. */
  MetricKind kindOf(TenantId organization, String metric);
}
