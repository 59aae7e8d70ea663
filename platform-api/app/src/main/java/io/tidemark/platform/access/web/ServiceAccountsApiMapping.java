package io.tidemark.platform.access.web;

import io.tidemark.contracts.controlapi.model.ApiKey;
import io.tidemark.contracts.controlapi.model.ApiKeyDraft;
import io.tidemark.contracts.controlapi.model.ApiKeyState;
import io.tidemark.contracts.controlapi.model.Role;
import io.tidemark.contracts.controlapi.model.ServiceAccount;
import io.tidemark.platform.access.ApiKeys;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Between the types of the contract and those of the module. Checks nothing. */
final class ServiceAccountsApiMapping {

  private final Clock clock;

  /**
   * A mapping.
   *
   * @param clock tells which keys have expired
   */
  ServiceAccountsApiMapping(Clock clock) {
    this.clock = clock;
  }

  ServiceAccount shown(TenantId organization, io.tidemark.platform.access.ServiceAccount account) {
    return new ServiceAccount(
        organization.value(),
        account.id(),
        account.displayName(),
        Role.fromValue(account.role()),
        utc(account.createdAt()),
        utc(account.updatedAt()));
  }

  ApiKey shown(io.tidemark.platform.access.ApiKey key) {
    return new ApiKey(
            key.id(),
            key.serviceAccountId(),
            key.environmentId().value(),
            key.scopes(),
            state(key),
            utc(key.createdAt()))
        .expiresAt(utc(key.expiresAt()))
        .revokedAt(utc(key.revokedAt()))
        .lastUsedAt(utc(key.lastUsedAt()));
  }

  ApiKeys.Draft draft(ApiKeyDraft draft) {
    return new ApiKeys.Draft(
        draft.getEnvironmentId(),
        draft.getScopes() == null ? List.of() : new ArrayList<>(draft.getScopes()),
        draft.getExpiresAt() == null ? null : draft.getExpiresAt().toInstant(),
        draft.getSecret());
  }

  private ApiKeyState state(io.tidemark.platform.access.ApiKey key) {
    if (key.revokedAt() != null) {
      return ApiKeyState.REVOKED;
    }
    return key.isExpired(clock.instant()) ? ApiKeyState.EXPIRED : ApiKeyState.LIVE;
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}
