package io.tidemark.platform.tenancy.web;

import io.tidemark.contracts.controlapi.EnvironmentsApi;
import io.tidemark.contracts.controlapi.model.Budgets;
import io.tidemark.contracts.controlapi.model.BudgetsDraft;
import io.tidemark.contracts.controlapi.model.EnvironmentChange;
import io.tidemark.contracts.controlapi.model.EnvironmentDraft;
import io.tidemark.contracts.controlapi.model.EnvironmentPage;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.tenancy.EffectiveBudgets;
import io.tidemark.platform.tenancy.Environment;
import io.tidemark.platform.tenancy.Environments;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Environments of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class EnvironmentsController implements EnvironmentsApi {

  private final ControlApiGuard guard;
  private final Environments environments;
  private final EffectiveBudgets budgets;

  EnvironmentsController(
      ControlApiGuard guard, Environments environments, EffectiveBudgets budgets) {
    this.guard = guard;
    this.environments = environments;
    this.budgets = budgets;
  }

  /** A permission in the environment is enough. */
  private ControlApiCall enter(String organizationId, Permission needed, String action, String id) {
    return guard.enterEnvironment(organizationId, id, needed, action, "environment");
  }

  @Override
  public ResponseEntity<EnvironmentPage> listEnvironments(
      String organizationId, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        guard.enterAnywhere(
            organizationId, Permission.ENVIRONMENTS_READ, "environment.list", "environment");
    Page<Environment> page = environments.list(call.organization(), Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new EnvironmentPage(
            page.items().stream()
                .filter(
                    environment ->
                        call.caller().mayIn(environment.id().value(), Permission.ENVIRONMENTS_READ))
                .map(TenancyApiMapping::shown)
                .toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Environment> createEnvironment(
      String organizationId, EnvironmentDraft draft, @Nullable String idempotencyKey) {
    ControlApiCall call =
        guard.enter(
            organizationId,
            Permission.ENVIRONMENTS_WRITE,
            "environment.create",
            "environment",
            organizationId);
    Created<Environment> made =
        environments.create(
            call.organization(),
            call.actor(),
            idempotencyKey,
            draft.getId(),
            draft.getDisplayName());
    return CreationResponses.created(
            made, organizationId, "environments", made.object().id().value())
        .eTag(EntityTags.of(made.object().version()))
        .body(TenancyApiMapping.shown(made.object()));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Environment> getEnvironment(
      String organizationId, String environmentId) {
    ControlApiCall call =
        enter(organizationId, Permission.ENVIRONMENTS_READ, "environment.read", environmentId);
    return answer(HttpStatus.OK, environments.get(call.organization(), environmentId));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Environment> changeEnvironment(
      String organizationId,
      String environmentId,
      EnvironmentChange change,
      @Nullable String ifMatch) {
    ControlApiCall call =
        enter(organizationId, Permission.ENVIRONMENTS_WRITE, "environment.rename", environmentId);
    return answer(
        HttpStatus.OK,
        environments.rename(
            call.organization(),
            call.actor(),
            environmentId,
            EntityTags.required(ifMatch),
            change.getDisplayName()));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Environment> archiveEnvironment(
      String organizationId, String environmentId, @Nullable String ifMatch) {
    ControlApiCall call =
        enter(organizationId, Permission.ENVIRONMENTS_WRITE, "environment.archive", environmentId);
    return answer(
        HttpStatus.OK,
        environments.archive(
            call.organization(),
            call.actor(),
            environmentId,
            EntityTags.expected(ifMatch),
            call.caller().environment()));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Environment> restoreEnvironment(
      String organizationId, String environmentId, @Nullable String ifMatch) {
    ControlApiCall call =
        enter(organizationId, Permission.ENVIRONMENTS_WRITE, "environment.restore", environmentId);
    return answer(
        HttpStatus.OK,
        environments.restore(
            call.organization(), call.actor(), environmentId, EntityTags.expected(ifMatch)));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Environment> deleteEnvironment(
      String organizationId, String environmentId, @Nullable String ifMatch) {
    ControlApiCall call =
        enter(organizationId, Permission.ENVIRONMENTS_WRITE, "environment.delete", environmentId);
    return answer(
        HttpStatus.ACCEPTED,
        environments.delete(
            call.organization(),
            call.actor(),
            environmentId,
            EntityTags.expected(ifMatch),
            call.caller().environment()));
  }

  @Override
  public ResponseEntity<Budgets> getBudgets(String organizationId, String environmentId) {
    ControlApiCall call =
        enter(organizationId, Permission.BUDGETS_READ, "budgets.read", environmentId);
    return TenancyApiMapping.answer(budgets.ofEnvironment(call.organization(), environmentId));
  }

  @Override
  public ResponseEntity<Budgets> changeBudgets(
      String organizationId, String environmentId, BudgetsDraft draft, @Nullable String ifMatch) {
    ControlApiCall call =
        enter(organizationId, Permission.BUDGETS_WRITE, "budgets.change", environmentId);
    return TenancyApiMapping.answer(
        budgets.change(
            call.organization(),
            call.actor(),
            environmentId,
            EntityTags.required(ifMatch),
            TenancyApiMapping.budgets(draft)));
  }

  private static ResponseEntity<io.tidemark.contracts.controlapi.model.Environment> answer(
      HttpStatus status, Environment environment) {
    return ResponseEntity.status(status)
        .eTag(EntityTags.of(environment.version()))
        .body(TenancyApiMapping.shown(environment));
  }
}
