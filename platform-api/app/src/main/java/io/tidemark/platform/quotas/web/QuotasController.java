package io.tidemark.platform.quotas.web;

import io.tidemark.contracts.controlapi.QuotasApi;
import io.tidemark.contracts.controlapi.model.QuotaLimits;
import io.tidemark.contracts.controlapi.model.QuotaMaximum;
import io.tidemark.contracts.controlapi.model.Quotas;
import io.tidemark.contracts.controlapi.model.QuotasDraft;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.quotas.HolderQuotas;
import io.tidemark.platform.quotas.QuotaAmounts;
import io.tidemark.platform.quotas.QuotaOverrides;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Quotas of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class QuotasController implements QuotasApi {

  private final ControlApiGuard guard;
  private final io.tidemark.platform.quotas.Quotas quotas;

  QuotasController(ControlApiGuard guard, io.tidemark.platform.quotas.Quotas quotas) {
    this.guard = guard;
    this.quotas = quotas;
  }

  @Override
  public ResponseEntity<Quotas> getOrganizationQuotas(String organizationId) {
    ControlApiCall call =
        guard.enter(
            organizationId, Permission.BUDGETS_READ, "quotas.read", "organization", organizationId);
    return answer(quotas.ofOrganization(call.organization()));
  }

  @Override
  public ResponseEntity<Quotas> changeOrganizationQuotas(
      String organizationId, QuotasDraft draft, @Nullable String ifMatch) {
    ControlApiCall call =
        guard.enter(
            organizationId,
            Permission.ORGANIZATION_WRITE,
            "quotas.change",
            "organization",
            organizationId);
    return answer(
        quotas.change(call.organization(), call.actor(), EntityTags.required(ifMatch), set(draft)));
  }

  @Override
  public ResponseEntity<Quotas> getQuotas(String organizationId, String environmentId) {
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId, environmentId, Permission.BUDGETS_READ, "quotas.read", "environment");
    return answer(quotas.ofEnvironment(call.organization(), environmentId));
  }

  @Override
  public ResponseEntity<Quotas> changeQuotas(
      String organizationId, String environmentId, QuotasDraft draft, @Nullable String ifMatch) {
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId,
            environmentId,
            Permission.BUDGETS_WRITE,
            "quotas.change",
            "environment");
    return answer(
        quotas.change(
            call.organization(),
            call.actor(),
            environmentId,
            EntityTags.required(ifMatch),
            set(draft)));
  }

  private static QuotaOverrides set(QuotasDraft draft) {
    return new QuotaOverrides(
        draft.getRequestsPerSecond(), draft.getBytesPerSecond(), draft.getPointsPerSecond());
  }

  private static ResponseEntity<Quotas> answer(HolderQuotas quotas) {
    QuotaOverrides set = quotas.set();
    QuotaAmounts inForce = quotas.inForce();
    return ResponseEntity.ok()
        .eTag(EntityTags.of(quotas.version()))
        .body(
            new Quotas(
                    new QuotasDraft()
                        .requestsPerSecond(set.requestsPerSecond())
                        .bytesPerSecond(set.bytesPerSecond())
                        .pointsPerSecond(set.pointsPerSecond()),
                    new QuotaLimits(inForce.requests(), inForce.bytes(), inForce.points()))
                .maximum(
                    new QuotaMaximum(
                        quotas.maximum().requests(),
                        quotas.maximum().bytes(),
                        quotas.maximum().points()))
                .updatedAt(
                    quotas.updatedAt() == null
                        ? null
                        : quotas.updatedAt().atOffset(ZoneOffset.UTC)));
  }
}
