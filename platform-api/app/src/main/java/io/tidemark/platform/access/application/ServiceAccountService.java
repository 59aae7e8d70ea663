package io.tidemark.platform.access.application;

import io.tidemark.platform.access.ApiKey;
import io.tidemark.platform.access.ServiceAccount;
import io.tidemark.platform.access.ServiceAccounts;
import io.tidemark.platform.access.domain.Role;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.DisplayName;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Service accounts, audited. */
public final class ServiceAccountService implements ServiceAccounts {

  private static final String TYPE = "service_account";
  private static final String ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";

  private final TenantTransactions transactions;
  private final ServiceAccountRepository accounts;
  private final ApiKeyRepository keys;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final Clock clock;
  private final RandomGenerator random;

  public ServiceAccountService(
      TenantTransactions transactions,
      ServiceAccountRepository accounts,
      ApiKeyRepository keys,
      IdempotentCreation creation,
      AuditLog audit,
      Clock clock,
      RandomGenerator random) {
    this.transactions = transactions;
    this.accounts = accounts;
    this.keys = keys;
    this.creation = creation;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public Page<ServiceAccount> list(TenantId organization, PageRequest page) {
    return transactions.within(
        organization,
        () ->
            Page.of(
                accounts.list(organization, page.after(), page.limit() + 1),
                page,
                ServiceAccount::id));
  }

  @Override
  public ServiceAccount get(TenantId organization, String id) {
    return transactions.within(organization, () -> found(accounts.find(organization, id)));
  }

  @Override
  public Created<ServiceAccount> create(
      TenantId organization,
      Actor actor,
      @Nullable String idempotencyKey,
      String displayName,
      @Nullable String role) {
    List<String> faults = new ArrayList<>();
    DisplayName.check("display_name", displayName, faults);
    if (role == null || Role.named(role).isEmpty()) {
      faults.add("role must be one of vocabulary/permissions.yaml.");
    }
    refuse(faults);
    return creation.once(
        organization,
        "service_account.create",
        idempotencyKey,
        role + "\n" + displayName,
        new Creation<>(
            () -> {
              Instant now = clock.instant();
              ServiceAccount made = new ServiceAccount(id(), displayName, role, 1, now, now);
              accounts.add(organization, made);
              audit.done(
                  organization, actor, "service_account.create", TYPE, made.id(), null, made);
              return made;
            },
            ServiceAccount::id,
            made -> get(organization, made)));
  }

  @Override
  public ServiceAccount change(
      TenantId organization,
      Actor actor,
      String id,
      ExpectedVersion expected,
      @Nullable String displayName,
      @Nullable String role) {
    List<String> faults = new ArrayList<>();
    if (displayName != null) {
      DisplayName.check("display_name", displayName, faults);
    }
    refuse(faults);
    return transactions.within(
        organization,
        () -> {
          ServiceAccount before = found(accounts.lock(organization, id));
          expected.check(before.version());
          ServiceAccount after =
              new ServiceAccount(
                  id,
                  displayName == null ? before.displayName() : displayName,
                  role == null ? before.role() : role,
                  before.version() + 1,
                  before.createdAt(),
                  clock.instant());
          if (after.displayName().equals(before.displayName())
              && Objects.requireNonNull(after.role()).equals(before.role())) {
            return before;
          }
          accounts.update(organization, after);
          audit.done(organization, actor, "service_account.change", TYPE, id, before, after);
          return after;
        });
  }

  @Override
  public void delete(
      TenantId organization,
      Actor actor,
      String id,
      ExpectedVersion expected,
      @Nullable String callersKey) {
    transactions.run(
        organization,
        () -> {
          ServiceAccount account = found(accounts.lock(organization, id));
          expected.check(account.version());
          if (Optional.ofNullable(callersKey)
              .flatMap(key -> keys.find(organization, key))
              .map(ApiKey::serviceAccountId)
              .filter(id::equals)
              .isPresent()) {
            throw ProblemException.of(
                ErrorCode.CONFLICT,
                "The key that is calling belongs to this service account. Use a key of another.");
          }
          // Its keys are refused from now on, because it is gone.
          accounts.delete(organization, id, clock.instant());
          audit.done(organization, actor, "service_account.delete", TYPE, id, account, null);
        });
  }

  private String id() {
    StringBuilder id = new StringBuilder("sa-");
    for (int i = 0; i < 16; i++) {
      id.append(ID_CHARACTERS.charAt(random.nextInt(ID_CHARACTERS.length())));
    }
    return id.toString();
  }

  private static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  static ServiceAccount found(Optional<ServiceAccount> account) {
    return account.orElseThrow(
        () -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such service account."));
  }
}
