package io.tidemark.platform.catalog;

import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.deletion.MetricDeleted;
import io.tidemark.platform.tenancy.EnvironmentDeleted;
import java.util.List;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Removes the catalogue of an environment that is deleted, of which the pipeline is told, and what
 * was seen of a metric whose data are deleted. What people declared of such a metric stays theirs.
 */
@Component
class CatalogDeletionListener {

  private final JdbcMetrics metrics;
  private final JdbcCatalogEraser rows;
  private final MetricControlPublisher pipeline;
  private final AuditLog audit;

  CatalogDeletionListener(
      JdbcMetrics metrics,
      JdbcCatalogEraser rows,
      MetricControlPublisher pipeline,
      AuditLog audit) {
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

  @EventListener
  void forget(MetricDeleted removed) {
    rows.forgetSighting(removed.organization(), removed.environment(), removed.metric());
  }
}
