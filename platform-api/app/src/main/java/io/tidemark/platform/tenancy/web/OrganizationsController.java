package io.tidemark.platform.tenancy.web;

import io.tidemark.contracts.controlapi.OrganizationsApi;
import io.tidemark.contracts.controlapi.model.Organization;
import io.tidemark.contracts.controlapi.model.OrganizationChange;
import io.tidemark.contracts.controlapi.model.OrganizationPage;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.audit.Call;
import io.tidemark.platform.audit.Guard;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.tenancy.Organizations;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Organisations of the control API. */
@RestController
class OrganizationsController implements OrganizationsApi {

  private final Guard guard;
  private final Organizations organizations;

  OrganizationsController(Guard guard, Organizations organizations) {
    this.guard = guard;
    this.organizations = organizations;
  }

  private Call enter(String organizationId, Permission needed, String action) {
    return guard.enter(organizationId, needed, action, "organization", organizationId);
  }

  @Override
  public ResponseEntity<OrganizationPage> listOrganizations(Integer limit, String cursor) {
    String own = guard.enter().organization().value();
    Call call = enter(own, Permission.ORGANIZATION_READ, "organization.list");
    // A key belongs to one organisation: the first page is the only one.
    List<Organization> all =
        Cursors.page(limit, cursor).after().isEmpty()
            ? List.of(TenancyApiMapping.shown(organizations.get(call.organization())))
            : List.of();
    return ResponseEntity.ok(new OrganizationPage(all, new PageMeta()));
  }

  @Override
  public ResponseEntity<Organization> getOrganization(String organizationId) {
    Call call = enter(organizationId, Permission.ORGANIZATION_READ, "organization.read");
    return answer(organizations.get(call.organization()));
  }

  @Override
  public ResponseEntity<Organization> changeOrganization(
      String organizationId, OrganizationChange change, String ifMatch) {
    Call call = enter(organizationId, Permission.ORGANIZATION_WRITE, "organization.rename");
    return answer(
        organizations.rename(
            call.organization(),
            call.actor(),
            EntityTags.required(ifMatch),
            change.getDisplayName()));
  }

  private static ResponseEntity<Organization> answer(
      io.tidemark.platform.tenancy.Organization organization) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(organization.version()))
        .body(TenancyApiMapping.shown(organization));
  }
}
