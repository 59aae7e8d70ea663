package io.tidemark.platform.dashboards.web;

import io.tidemark.contracts.controlapi.DashboardsApi;
import io.tidemark.contracts.controlapi.model.Dashboard;
import io.tidemark.contracts.controlapi.model.DashboardDefinition;
import io.tidemark.contracts.controlapi.model.DashboardPage;
import io.tidemark.contracts.controlapi.model.DashboardVersion;
import io.tidemark.contracts.controlapi.model.DashboardVersionPage;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.dashboards.DashboardSummary;
import io.tidemark.platform.dashboards.Dashboards;
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

/** Dashboards of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class DashboardsController implements DashboardsApi {

  private static final String TYPE = "dashboard";

  private final ControlApiGuard guard;
  private final Dashboards dashboards;

  DashboardsController(ControlApiGuard guard, Dashboards dashboards) {
    this.guard = guard;
    this.dashboards = dashboards;
  }

  /** A dashboard shows nothing by itself, so a role in one environment is enough to see it. */
  private ControlApiCall reads(String organization, String action) {
    return guard.enterAnywhere(organization, Permission.DASHBOARDS_READ, action, TYPE);
  }

  private ControlApiCall writes(String organization, String action, String id) {
    return guard.enter(organization, Permission.DASHBOARDS_WRITE, action, TYPE, id);
  }

  @Override
  public ResponseEntity<DashboardPage> listDashboards(
      String organizationId, Integer limit, @Nullable String cursor) {
    ControlApiCall call = reads(organizationId, "dashboard.list");
    Page<DashboardSummary> page = dashboards.list(call.organization(), Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new DashboardPage(
            page.items().stream().map(DashboardsApiMapping::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Dashboard> createDashboard(
      String organizationId, DashboardDefinition definition, @Nullable String idempotencyKey) {
    ControlApiCall call = writes(organizationId, "dashboard.create", organizationId);
    return made(
        organizationId,
        dashboards.create(
            call.organization(),
            call.actor(),
            idempotencyKey,
            DashboardsApiMapping.read(definition)));
  }

  @Override
  public ResponseEntity<Dashboard> getDashboard(String organizationId, String dashboardId) {
    ControlApiCall call = reads(organizationId, "dashboard.read");
    return answer(dashboards.get(call.organization(), dashboardId));
  }

  @Override
  public ResponseEntity<Dashboard> changeDashboard(
      String organizationId,
      String dashboardId,
      DashboardDefinition definition,
      @Nullable String ifMatch) {
    ControlApiCall call = writes(organizationId, "dashboard.change", dashboardId);
    return answer(
        dashboards.change(
            call.organization(),
            call.actor(),
            dashboardId,
            EntityTags.required(ifMatch),
            DashboardsApiMapping.read(definition)));
  }

  @Override
  public ResponseEntity<Void> deleteDashboard(
      String organizationId, String dashboardId, @Nullable String ifMatch) {
    ControlApiCall call = writes(organizationId, "dashboard.delete", dashboardId);
    dashboards.delete(call.organization(), call.actor(), dashboardId, EntityTags.expected(ifMatch));
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<Dashboard> duplicateDashboard(
      String organizationId, String dashboardId, @Nullable String idempotencyKey) {
    ControlApiCall call = writes(organizationId, "dashboard.duplicate", dashboardId);
    return made(
        organizationId,
        dashboards.duplicate(call.organization(), call.actor(), dashboardId, idempotencyKey));
  }

  @Override
  public ResponseEntity<DashboardVersionPage> listDashboardVersions(
      String organizationId, String dashboardId, Integer limit, @Nullable String cursor) {
    ControlApiCall call = reads(organizationId, "dashboard.versions");
    Page<io.tidemark.platform.dashboards.DashboardVersion> page =
        dashboards.versions(call.organization(), dashboardId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new DashboardVersionPage(
            page.items().stream().map(DashboardsApiMapping::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<DashboardVersion> getDashboardVersion(
      String organizationId, String dashboardId, Long version) {
    ControlApiCall call = reads(organizationId, "dashboard.version");
    io.tidemark.platform.dashboards.DashboardVersion found =
        dashboards.version(call.organization(), dashboardId, version);
    return ResponseEntity.ok(
        DashboardsApiMapping.shown(found)
            .definition(DashboardsApiMapping.shown(found.definition())));
  }

  @Override
  public ResponseEntity<Dashboard> restoreDashboardVersion(
      String organizationId, String dashboardId, Long version, @Nullable String ifMatch) {
    ControlApiCall call = writes(organizationId, "dashboard.restore", dashboardId);
    return answer(
        dashboards.restore(
            call.organization(), call.actor(), dashboardId, version, EntityTags.expected(ifMatch)));
  }

  private static ResponseEntity<Dashboard> made(
      String organization, Created<io.tidemark.platform.dashboards.Dashboard> made) {
    return CreationResponses.created(made, organization, "dashboards", made.object().id())
        .eTag(EntityTags.of(made.object().version()))
        .body(DashboardsApiMapping.shown(made.object()));
  }

  private static ResponseEntity<Dashboard> answer(
      io.tidemark.platform.dashboards.Dashboard dashboard) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(dashboard.version()))
        .body(DashboardsApiMapping.shown(dashboard));
  }
}
