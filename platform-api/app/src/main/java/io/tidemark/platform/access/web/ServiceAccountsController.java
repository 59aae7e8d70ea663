package io.tidemark.platform.access.web;

import io.tidemark.contracts.controlapi.ServiceAccountsApi;
import io.tidemark.contracts.controlapi.model.ApiKey;
import io.tidemark.contracts.controlapi.model.ApiKeyDraft;
import io.tidemark.contracts.controlapi.model.ApiKeyPage;
import io.tidemark.contracts.controlapi.model.CreatedApiKey;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.contracts.controlapi.model.ServiceAccount;
import io.tidemark.contracts.controlapi.model.ServiceAccountChange;
import io.tidemark.contracts.controlapi.model.ServiceAccountDraft;
import io.tidemark.contracts.controlapi.model.ServiceAccountPage;
import io.tidemark.platform.access.ApiKeys;
import io.tidemark.platform.access.ServiceAccounts;
import io.tidemark.platform.access.domain.Role;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Clock;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Service accounts and their keys of the control API. Nobody gives more than they have. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class ServiceAccountsController implements ServiceAccountsApi {

  private final ControlApiGuard guard;
  private final ServiceAccounts accounts;
  private final ApiKeys keys;
  private final ServiceAccountsApiMapping mapping;

  ServiceAccountsController(
      ControlApiGuard guard, ServiceAccounts accounts, ApiKeys keys, Clock clock) {
    this.guard = guard;
    this.accounts = accounts;
    this.keys = keys;
    this.mapping = new ServiceAccountsApiMapping(clock);
  }

  private ControlApiCall accounts(
      String organizationId, Permission needed, String action, String id) {
    return guard.enter(organizationId, needed, action, "service_account", id);
  }

  private ControlApiCall keys(String organizationId, Permission needed, String action, String id) {
    return guard.enter(organizationId, needed, action, "api_key", id);
  }

  /** Refuses to give what the caller does not have, and writes it down. */
  private void refuseMoreThanOwn(
      ControlApiCall call,
      String action,
      String objectType,
      String id,
      Collection<Permission> given) {
    Set<Permission> own = call.caller().permissions();
    String lacking =
        given.stream()
            .filter(permission -> !own.contains(permission))
            .map(Permission::wireName)
            .sorted()
            .collect(Collectors.joining(", "));
    if (!lacking.isEmpty()) {
      throw guard.refuse(
          call,
          action,
          objectType,
          id,
          ProblemException.of(
              ErrorCode.FORBIDDEN,
              "The key that is calling lacks what it would give: "
                  + lacking
                  + ". Use a key that has it."));
    }
  }

  private static Set<Permission> permissions(
      io.tidemark.contracts.controlapi.model.@Nullable Role role) {
    return role == null
        ? Set.of()
        : Role.named(role.getValue()).map(Role::permissions).orElse(Set.of());
  }

  @Override
  public ResponseEntity<ServiceAccountPage> listServiceAccounts(
      String organizationId, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        accounts(
            organizationId,
            Permission.SERVICE_ACCOUNTS_READ,
            "service_account.list",
            organizationId);
    Page<io.tidemark.platform.access.ServiceAccount> page =
        accounts.list(call.organization(), Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new ServiceAccountPage(
            page.items().stream()
                .map(account -> mapping.shown(call.organization(), account))
                .toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<ServiceAccount> createServiceAccount(
      String organizationId, ServiceAccountDraft draft, @Nullable String idempotencyKey) {
    String action = "service_account.create";
    ControlApiCall call =
        accounts(organizationId, Permission.SERVICE_ACCOUNTS_WRITE, action, organizationId);
    refuseMoreThanOwn(
        call, action, "service_account", organizationId, permissions(draft.getRole()));
    Created<io.tidemark.platform.access.ServiceAccount> made =
        accounts.create(
            call.organization(),
            call.actor(),
            idempotencyKey,
            draft.getDisplayName(),
            draft.getRole() == null ? null : draft.getRole().getValue());
    return CreationResponses.created(made, organizationId, "service-accounts", made.object().id())
        .eTag(EntityTags.of(made.object().version()))
        .body(mapping.shown(call.organization(), made.object()));
  }

  @Override
  public ResponseEntity<ServiceAccount> getServiceAccount(
      String organizationId, String serviceAccountId) {
    ControlApiCall call =
        accounts(
            organizationId,
            Permission.SERVICE_ACCOUNTS_READ,
            "service_account.read",
            serviceAccountId);
    return answer(call, accounts.get(call.organization(), serviceAccountId));
  }

  @Override
  public ResponseEntity<ServiceAccount> changeServiceAccount(
      String organizationId,
      String serviceAccountId,
      ServiceAccountChange change,
      @Nullable String ifMatch) {
    String action = "service_account.change";
    ControlApiCall call =
        accounts(organizationId, Permission.SERVICE_ACCOUNTS_WRITE, action, serviceAccountId);
    refuseMoreThanOwn(
        call, action, "service_account", serviceAccountId, permissions(change.getRole()));
    return answer(
        call,
        accounts.change(
            call.organization(),
            call.actor(),
            serviceAccountId,
            EntityTags.required(ifMatch),
            change.getDisplayName(),
            change.getRole() == null ? null : change.getRole().getValue()));
  }

  @Override
  public ResponseEntity<Void> deleteServiceAccount(
      String organizationId, String serviceAccountId, @Nullable String ifMatch) {
    ControlApiCall call =
        accounts(
            organizationId,
            Permission.SERVICE_ACCOUNTS_WRITE,
            "service_account.delete",
            serviceAccountId);
    accounts.delete(
        call.organization(),
        call.actor(),
        serviceAccountId,
        EntityTags.expected(ifMatch),
        call.caller().keyId());
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<ApiKeyPage> listApiKeys(
      String organizationId, String serviceAccountId, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        keys(organizationId, Permission.API_KEYS_READ, "api_key.list", serviceAccountId);
    Page<io.tidemark.platform.access.ApiKey> page =
        keys.list(call.organization(), serviceAccountId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new ApiKeyPage(
            page.items().stream().map(mapping::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<CreatedApiKey> createApiKey(
      String organizationId,
      String serviceAccountId,
      ApiKeyDraft draft,
      @Nullable String idempotencyKey) {
    String action = "api_key.create";
    ControlApiCall call = keys(organizationId, Permission.API_KEYS_WRITE, action, serviceAccountId);
    ApiKeys.Draft wanted = mapping.draft(draft);
    refuseMoreThanOwn(
        call,
        action,
        "api_key",
        serviceAccountId,
        wanted.scopes().stream()
            .filter(Objects::nonNull)
            .flatMap(scope -> Permission.named(scope).stream())
            .toList());
    Created<ApiKeys.Issued> made =
        keys.issue(call.organization(), call.actor(), idempotencyKey, serviceAccountId, wanted);
    return CreationResponses.created(
            made,
            organizationId,
            "service-accounts",
            made.object().key().serviceAccountId(),
            "api-keys",
            made.object().key().id())
        // The one answer with a secret must not stay anywhere on its way.
        .header("Cache-Control", "no-store")
        .body(new CreatedApiKey(mapping.shown(made.object().key())).secret(made.object().secret()));
  }

  @Override
  public ResponseEntity<ApiKey> getApiKey(
      String organizationId, String serviceAccountId, String apiKeyId) {
    ControlApiCall call = keys(organizationId, Permission.API_KEYS_READ, "api_key.read", apiKeyId);
    return ResponseEntity.ok(
        mapping.shown(keys.get(call.organization(), serviceAccountId, apiKeyId)));
  }

  @Override
  public ResponseEntity<Void> revokeApiKey(
      String organizationId, String serviceAccountId, String apiKeyId) {
    ControlApiCall call =
        keys(organizationId, Permission.API_KEYS_WRITE, "api_key.revoke", apiKeyId);
    keys.revoke(
        call.organization(), call.actor(), serviceAccountId, apiKeyId, call.caller().keyId());
    return ResponseEntity.noContent().build();
  }

  private ResponseEntity<ServiceAccount> answer(
      ControlApiCall call, io.tidemark.platform.access.ServiceAccount account) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(account.version()))
        .body(mapping.shown(call.organization(), account));
  }
}
