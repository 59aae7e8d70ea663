package io.tidemark.platform.catalog.web;

import io.tidemark.contracts.controlapi.CatalogApi;
import io.tidemark.contracts.controlapi.model.Metric;
import io.tidemark.contracts.controlapi.model.MetricDeclaration;
import io.tidemark.contracts.controlapi.model.MetricDraft;
import io.tidemark.contracts.controlapi.model.MetricPage;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.contracts.controlapi.model.Resource;
import io.tidemark.contracts.controlapi.model.ResourceChange;
import io.tidemark.contracts.controlapi.model.ResourceDraft;
import io.tidemark.contracts.controlapi.model.ResourcePage;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.catalog.CatalogMetric;
import io.tidemark.platform.catalog.CatalogName;
import io.tidemark.platform.catalog.CatalogResource;
import io.tidemark.platform.catalog.MetricCatalog;
import io.tidemark.platform.catalog.Resources;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Metrics and resources of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class CatalogController implements CatalogApi {

  private final ControlApiGuard guard;
  private final MetricCatalog metrics;
  private final Resources resources;

  CatalogController(ControlApiGuard guard, MetricCatalog metrics, Resources resources) {
    this.guard = guard;
    this.metrics = metrics;
    this.resources = resources;
  }

  private ControlApiCall reads(
      String organization, String environment, String action, String type, String id) {
    return guard.enterEnvironment(
        organization, environment, Permission.CATALOG_READ, action, type, id);
  }

  private ControlApiCall writes(
      String organization, String environment, String action, String type, String id) {
    return guard.enterEnvironment(
        organization, environment, Permission.CATALOG_WRITE, action, type, id);
  }

  @Override
  public ResponseEntity<MetricPage> listMetrics(
      String organizationId, String environmentId, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        reads(organizationId, environmentId, "metric.list", "environment", environmentId);
    Page<CatalogMetric> page =
        metrics.list(call.organization(), environmentId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new MetricPage(
            page.items().stream().map(CatalogApiMapping::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Metric> declareMetric(
      String organizationId,
      String environmentId,
      MetricDraft draft,
      @Nullable String idempotencyKey) {
    ControlApiCall call =
        writes(organizationId, environmentId, "metric.declare", "environment", environmentId);
    Created<CatalogMetric> made =
        metrics.declare(
            call.organization(),
            call.actor(),
            environmentId,
            idempotencyKey,
            draft.getName(),
            CatalogApiMapping.declaration(draft.getDeclaration()));
    CatalogMetric metric = made.object();
    return CreationResponses.created(
            made,
            organizationId,
            "environments",
            environmentId,
            "metrics",
            CatalogName.idOf(metric.name()))
        .eTag(EntityTags.of(metric.version()))
        .body(CatalogApiMapping.shown(metric));
  }

  @Override
  public ResponseEntity<Metric> getMetric(
      String organizationId, String environmentId, String metricId) {
    ControlApiCall call = reads(organizationId, environmentId, "metric.read", "metric", metricId);
    return answer(metrics.get(call.organization(), environmentId, metricId));
  }

  @Override
  public ResponseEntity<Metric> changeMetric(
      String organizationId,
      String environmentId,
      String metricId,
      MetricDeclaration declaration,
      @Nullable String ifMatch) {
    ControlApiCall call =
        writes(organizationId, environmentId, "metric.declare", "metric", metricId);
    return answer(
        metrics.change(
            call.organization(),
            call.actor(),
            environmentId,
            metricId,
            EntityTags.required(ifMatch),
            CatalogApiMapping.declaration(declaration)));
  }

  @Override
  public ResponseEntity<Void> withdrawMetric(
      String organizationId, String environmentId, String metricId, @Nullable String ifMatch) {
    ControlApiCall call =
        writes(organizationId, environmentId, "metric.withdraw", "metric", metricId);
    metrics.withdraw(
        call.organization(), call.actor(), environmentId, metricId, EntityTags.expected(ifMatch));
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<ResourcePage> listResources(
      String organizationId, String environmentId, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        reads(organizationId, environmentId, "resource.list", "environment", environmentId);
    Page<CatalogResource> page =
        resources.list(call.organization(), environmentId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new ResourcePage(
            page.items().stream().map(CatalogApiMapping::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Resource> registerResource(
      String organizationId,
      String environmentId,
      ResourceDraft draft,
      @Nullable String idempotencyKey) {
    ControlApiCall call =
        writes(organizationId, environmentId, "resource.register", "environment", environmentId);
    Created<CatalogResource> made =
        resources.register(
            call.organization(),
            call.actor(),
            environmentId,
            idempotencyKey,
            draft.getType(),
            draft.getName(),
            draft.getDisplayName());
    CatalogResource resource = made.object();
    return CreationResponses.created(
            made, organizationId, "environments", environmentId, "resources", resource.id())
        .eTag(EntityTags.of(resource.version()))
        .body(CatalogApiMapping.shown(resource));
  }

  @Override
  public ResponseEntity<Resource> getResource(
      String organizationId, String environmentId, String resourceId) {
    ControlApiCall call =
        reads(organizationId, environmentId, "resource.read", "resource", resourceId);
    return answer(resources.get(call.organization(), environmentId, resourceId));
  }

  @Override
  public ResponseEntity<Resource> changeResource(
      String organizationId,
      String environmentId,
      String resourceId,
      ResourceChange change,
      @Nullable String ifMatch) {
    ControlApiCall call =
        writes(organizationId, environmentId, "resource.rename", "resource", resourceId);
    return answer(
        resources.rename(
            call.organization(),
            call.actor(),
            environmentId,
            resourceId,
            EntityTags.required(ifMatch),
            change.getDisplayName()));
  }

  @Override
  public ResponseEntity<Void> deleteResource(
      String organizationId, String environmentId, String resourceId, @Nullable String ifMatch) {
    ControlApiCall call =
        writes(organizationId, environmentId, "resource.delete", "resource", resourceId);
    resources.delete(
        call.organization(), call.actor(), environmentId, resourceId, EntityTags.expected(ifMatch));
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<Resource> confirmResource(
      String organizationId, String environmentId, String resourceId, @Nullable String ifMatch) {
    ControlApiCall call =
        writes(organizationId, environmentId, "resource.confirm", "resource", resourceId);
    return answer(
        resources.confirm(
            call.organization(),
            call.actor(),
            environmentId,
            resourceId,
            EntityTags.expected(ifMatch)));
  }

  private static ResponseEntity<Metric> answer(CatalogMetric metric) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(metric.version()))
        .body(CatalogApiMapping.shown(metric));
  }

  private static ResponseEntity<Resource> answer(CatalogResource resource) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(resource.version()))
        .body(CatalogApiMapping.shown(resource));
  }
}
