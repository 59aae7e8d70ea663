package io.tidemark.platform.catalog;

import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.tenancy.EnvironmentDeleted;
import java.util.List;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Removes the catalogue of an environment that is deleted; the pipeline is told so. */
@Component
class ForgettingEnvironments {

  private final JdbcMetrics metrics;
  private final JdbcForgetting rows;
  private final TellMetrics pipeline;
  private final AuditLog audit;

  ForgettingEnvironments(
      JdbcMetrics metrics, JdbcForgetting rows, TellMetrics pipeline, AuditLog audit) {
    this.metrics = metrics;
    this.rows = rows;
    this.pipeline = pipeline;
    this.audit = audit;
  }

  /** What was removed. */
  record Removed(long declarations, long discoveredMetrics, long resources) {}

  @EventListener
  void forget(EnvironmentDeleted deleted) {
    List<String> declared = metrics.declared(deleted.organization(), deleted.environment());
    declared.forEach(
        name -> pipeline.withdrawn(deleted.organization(), deleted.environment(), name));
    Removed removed =
        new Removed(
            rows.forget(deleted.organization(), deleted.environment(), "metric_declaration"),
            rows.forget(deleted.organization(), deleted.environment(), "metric_sighting"),
            rows.forget(deleted.organization(), deleted.environment(), "resource"));
    audit.done(
        deleted.organization(),
        deleted.actor(),
        "catalog.remove",
        "environment",
        deleted.environment().value(),
        null,
        removed);
  }
}
