package io.tidemark.platform.access.application;

import io.tidemark.platform.access.ApiKey;
import io.tidemark.platform.access.ApiKeys;
import io.tidemark.platform.access.ServiceAccount;
import io.tidemark.platform.access.domain.ApiKeyText;
import io.tidemark.platform.access.domain.Role;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Keys of service accounts, audited. A secret is drawn, hashed, handed over, and forgotten. */
public final class ApiKeyIssuer implements ApiKeys {

  /** The old and the new key of a rotation. */
  private static final int MAX_LIVE = 2;

  private static final int PAGE = 500;
  private static final String TYPE = "api_key";

  /** What new keys are made of. */
  public record Drawing(SecretHash hash, RandomGenerator random, Clock clock) {}

  private final TenantTransactions transactions;
  private final ServiceAccountRepository accounts;
  private final ApiKeyRepository keys;
  private final Environments environments;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final Drawing drawing;

  public ApiKeyIssuer(
      TenantTransactions transactions,
      ServiceAccountRepository accounts,
      ApiKeyRepository keys,
      Environments environments,
      IdempotentCreation creation,
      AuditLog audit,
      Drawing drawing) {
    this.transactions = transactions;
    this.accounts = accounts;
    this.keys = keys;
    this.environments = environments;
    this.creation = creation;
    this.audit = audit;
    this.drawing = drawing;
  }

  @Override
  public Page<ApiKey> list(TenantId organization, String serviceAccount, PageRequest page) {
    return transactions.within(
        organization,
        () -> {
          ServiceAccountService.found(accounts.find(organization, serviceAccount));
          return Page.of(
              keys.list(organization, serviceAccount, page.after(), page.limit() + 1),
              page,
              ApiKey::id);
        });
  }

  @Override
  public ApiKey get(TenantId organization, String serviceAccount, String id) {
    return transactions.within(
        organization,
        () -> {
          ServiceAccountService.found(accounts.find(organization, serviceAccount));
          return keys.find(organization, id)
              .filter(key -> serviceAccount.equals(key.serviceAccountId()))
              .orElseThrow(() -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such key."));
        });
  }

  @Override
  public Created<Issued> issue(
      TenantId organization,
      Actor actor,
      @Nullable String idempotencyKey,
      String serviceAccount,
      Draft draft) {
    return creation.once(
        organization,
        "api_key.create",
        idempotencyKey,
        serviceAccount + "\n" + draft + mark(draft),
        new Creation<>(
            () -> make(organization, actor, serviceAccount, draft),
            issued -> issued.key().id(),
            id -> new Issued(get(organization, serviceAccount, id), null)));
  }

  /** Tells drafts with different secrets apart without keeping any. */
  private String mark(Draft draft) {
    return draft.secret() == null
        ? ""
        : "\n" + HexFormat.of().formatHex(drawing.hash().of(draft.secret()));
  }

  private Issued make(TenantId organization, Actor actor, String serviceAccount, Draft draft) {
    ServiceAccount account =
        ServiceAccountService.found(accounts.lock(organization, serviceAccount));
    Instant now = drawing.clock().instant();
    refuseFaulty(organization, account, draft, now);
    EnvironmentId environment = new EnvironmentId(draft.environmentId());
    if (live(organization, serviceAccount, environment, now) >= MAX_LIVE) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The service account has two live keys in this environment. Revoke the one that is no"
              + " longer needed.");
    }
    ApiKeyText text =
        draft.secret() == null
            ? ApiKeyText.draw(environment.value(), drawing.random())
            : ApiKeyText.of(environment.value(), draft.secret(), drawing.random());
    ApiKey key =
        new ApiKey(
            text.id(),
            serviceAccount,
            environment,
            draft.scopes().stream().distinct().sorted().toList(),
            now,
            draft.expiresAt(),
            null,
            null);
    keys.add(organization, key, drawing.hash().of(text.secretWithChecksum()));
    audit.done(organization, actor, "api_key.create", TYPE, key.id(), null, key);
    return new Issued(key, draft.secret() == null ? text.whole() : null);
  }

  private void refuseFaulty(
      TenantId organization, ServiceAccount account, Draft draft, Instant now) {
    List<String> faults = new ArrayList<>();
    if (draft.environmentId() == null
        || !TenantId.isWellFormed(draft.environmentId())
        || !environments.hasActive(organization, new EnvironmentId(draft.environmentId()))) {
      faults.add("environment_id must name an active environment of the organisation.");
    }
    if (draft.scopes().isEmpty()) {
      faults.add("scopes must name at least one permission.");
    }
    for (String scope : draft.scopes()) {
      boolean allowed =
          scope != null
              && Permission.named(scope)
                  .filter(
                      permission ->
                          Role.named(Objects.requireNonNull(account.role()))
                              .orElseThrow()
                              .permissions()
                              .contains(permission))
                  .isPresent();
      if (!allowed) {
        faults.add("scopes must be permissions that the role " + account.role() + " has.");
        break;
      }
    }
    if (draft.expiresAt() != null && !draft.expiresAt().isAfter(now)) {
      faults.add("expires_at must be in the future; leave it out for a key that does not expire.");
    }
    if (draft.secret() != null && !ApiKeyText.isSecret(draft.secret())) {
      faults.add(
          "secret must be 40 random characters of 0-9, A-Z and a-z; leave it out to draw one.");
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  private int live(
      TenantId organization, String serviceAccount, EnvironmentId environment, Instant now) {
    int live = 0;
    String after = "";
    List<ApiKey> page;
    do {
      page = keys.list(organization, serviceAccount, after, PAGE);
      for (ApiKey key : page) {
        live += key.environmentId().equals(environment) && key.isLive(now) ? 1 : 0;
        after = key.id();
      }
    } while (page.size() == PAGE);
    return live;
  }

  @Override
  public void revoke(
      TenantId organization,
      Actor actor,
      String serviceAccount,
      String id,
      @Nullable String callersKey) {
    if (id.equals(callersKey)) {
      throw ProblemException.of(
          ErrorCode.CONFLICT, "A key cannot revoke itself. Use the key that replaces it.");
    }
    transactions.run(
        organization,
        () -> {
          ApiKey before = get(organization, serviceAccount, id);
          if (before.revokedAt() == null) {
            keys.revoke(organization, id, drawing.clock().instant());
            audit.done(
                organization,
                actor,
                "api_key.revoke",
                TYPE,
                id,
                before,
                get(organization, serviceAccount, id));
          }
        });
  }
}
