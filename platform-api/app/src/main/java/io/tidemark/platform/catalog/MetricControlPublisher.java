package io.tidemark.platform.catalog;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;

/** Tells the pipeline what is declared of a metric. Joins the running transaction. */
public interface MetricControlPublisher {

  /** The version of the declaration as told; greater with every call for the metric. */
  long declared(
      TenantId organization,
      EnvironmentId environment,
      String name,
      MetricDeclaration declaration,
      Instant now);

  /** Nothing is declared of it any more. */
  void withdrawn(TenantId organization, EnvironmentId environment, String name);
}
