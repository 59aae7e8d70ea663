package io.tidemark.platform.tenancy.web;

import io.tidemark.contracts.controlapi.OrganizationsApi;
import io.tidemark.contracts.controlapi.model.Budgets;
import io.tidemark.contracts.controlapi.model.BudgetsDraft;
import io.tidemark.contracts.controlapi.model.Organization;
import io.tidemark.contracts.controlapi.model.OrganizationChange;
import io.tidemark.contracts.controlapi.model.OrganizationDraft;
import io.tidemark.contracts.controlapi.model.OrganizationPage;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.EffectiveBudgets;
import io.tidemark.platform.tenancy.OrganizationCreators;
import io.tidemark.platform.tenancy.Organizations;
import io.tidemark.platform.tenancy.PlanProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Organisations of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class OrganizationsController implements OrganizationsApi {

  private static final int MAX = 50;

  private final ControlApiGuard guard;
  private final Organizations organizations;
  private final EffectiveBudgets budgets;
  private final PlanProperties plan;

  OrganizationsController(
      ControlApiGuard guard,
      Organizations organizations,
      EffectiveBudgets budgets,
      PlanProperties plan) {
    this.guard = guard;
    this.plan = plan;
    this.organizations = organizations;
    this.budgets = budgets;
  }

  private ControlApiCall enter(String organizationId, Permission needed, String action) {
    return guard.enter(organizationId, needed, action, "organization", organizationId);
  }

  @Override
  public ResponseEntity<OrganizationPage> listOrganizations(
      Integer limit, @Nullable String cursor) {
    PageRequest page = Cursors.page(limit, cursor);
    if (!guard.identity().isPerson()) {
      enter(guard.identity().log().value(), Permission.ORGANIZATION_READ, "organization.list");
    }
    Page<TenantId> own =
        Page.of(
            guard.organizations().stream()
                .filter(organization -> organization.value().compareTo(page.after()) > 0)
                .limit(page.limit() + 1L)
                .toList(),
            page,
            TenantId::value);
    return ResponseEntity.ok(
        new OrganizationPage(
            own.items().stream()
                .map(organization -> TenancyApiMapping.shown(organizations.get(organization)))
                .toList(),
            new PageMeta().nextCursor(Cursors.of(own.next()))));
  }

  @Override
  public ResponseEntity<Organization> getOrganization(String organizationId) {
    ControlApiCall call = enter(organizationId, Permission.ORGANIZATION_READ, "organization.read");
    return answer(HttpStatus.OK, organizations.get(call.organization()));
  }

  @Override
  public ResponseEntity<Organization> createOrganization(
      OrganizationDraft draft, @Nullable String idempotencyKey) {
    Actor actor = guard.enterAsPerson("organization.create", "organization");
    if (!plan.organizationCreators()
        .include(guard.has(Organizations.PLATFORM, Permission.ORGANIZATION_WRITE))) {
      throw guard.refuse(
          Organizations.PLATFORM,
          "organization.create",
          "organization",
          Organizations.PLATFORM.value(),
          ProblemException.of(
              ErrorCode.FORBIDDEN,
              "On this installation "
                  + (plan.organizationCreators() == OrganizationCreators.NOBODY
                      ? "nobody creates organisations."
                      : "administrators of org-self create organisations. Ask one of them.")));
    }
    if (guard.organizations().size() >= MAX) {
      throw ProblemException.of(
          ErrorCode.CONFLICT, "You belong to " + MAX + " organisations and can create no more.");
    }
    Created<io.tidemark.platform.tenancy.Organization> made =
        organizations.create(actor.id(), actor, idempotencyKey, draft.getDisplayName());
    return CreationResponses.created(made, made.object().id().value())
        .eTag(EntityTags.of(made.object().version()))
        .body(TenancyApiMapping.shown(made.object()));
  }

  @Override
  public ResponseEntity<Organization> archiveOrganization(
      String organizationId, @Nullable String ifMatch) {
    ControlApiCall call = enterToEnd(organizationId, "organization.archive");
    return answer(
        HttpStatus.OK,
        organizations.archive(call.organization(), call.actor(), EntityTags.expected(ifMatch)));
  }

  @Override
  public ResponseEntity<Organization> restoreOrganization(
      String organizationId, @Nullable String ifMatch) {
    ControlApiCall call =
        enter(organizationId, Permission.ORGANIZATION_WRITE, "organization.restore");
    return answer(
        HttpStatus.OK,
        organizations.restore(call.organization(), call.actor(), EntityTags.expected(ifMatch)));
  }

  @Override
  public ResponseEntity<Organization> deleteOrganization(
      String organizationId, @Nullable String ifMatch) {
    ControlApiCall call = enterToEnd(organizationId, "organization.delete");
    return answer(
        HttpStatus.ACCEPTED,
        organizations.delete(call.organization(), call.actor(), EntityTags.expected(ifMatch)));
  }

  /** A key would lock itself out, and all others with it. */
  private ControlApiCall enterToEnd(String organizationId, String action) {
    ControlApiCall call = enter(organizationId, Permission.ORGANIZATION_WRITE, action);
    if (!call.caller().isPerson()) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The key that is calling belongs to the organisation and would stop working. Sign in as"
              + " a person.");
    }
    return call;
  }

  @Override
  public ResponseEntity<Organization> changeOrganization(
      String organizationId, OrganizationChange change, @Nullable String ifMatch) {
    ControlApiCall call =
        enter(organizationId, Permission.ORGANIZATION_WRITE, "organization.rename");
    return answer(
        HttpStatus.OK,
        organizations.rename(
            call.organization(),
            call.actor(),
            EntityTags.required(ifMatch),
            change.getDisplayName()));
  }

  @Override
  public ResponseEntity<Budgets> getOrganizationBudgets(String organizationId) {
    ControlApiCall call = enter(organizationId, Permission.BUDGETS_READ, "budgets.read");
    return TenancyApiMapping.answer(budgets.ofOrganization(call.organization()));
  }

  @Override
  public ResponseEntity<Budgets> changeOrganizationBudgets(
      String organizationId, BudgetsDraft draft, @Nullable String ifMatch) {
    ControlApiCall call = enter(organizationId, Permission.ORGANIZATION_WRITE, "budgets.change");
    return TenancyApiMapping.answer(
        budgets.change(
            call.organization(),
            call.actor(),
            EntityTags.required(ifMatch),
            TenancyApiMapping.budgets(draft)));
  }

  private static ResponseEntity<Organization> answer(
      HttpStatus status, io.tidemark.platform.tenancy.Organization organization) {
    return ResponseEntity.status(status)
        .eTag(EntityTags.of(organization.version()))
        .body(TenancyApiMapping.shown(organization));
  }
}
