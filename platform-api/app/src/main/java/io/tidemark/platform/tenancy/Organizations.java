package io.tidemark.platform.tenancy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.DisplayName;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** The organisations of this installation. */
@Service
public class Organizations {

  /** The organisation that Tidemark's own metrics belong to. */
  public static final TenantId PLATFORM = TenantId.PLATFORM;

  /** How long a deletion can be taken back. */
  static final Duration GRACE = Duration.ofDays(30);

  private static final String TYPE = "organization";

  private final TenantTransactions transactions;
  private final JdbcOrganizations rows;
  private final Environments environments;
  private final IdempotentCreation creation;
  private final FirstAdministratorAssigner administer;
  private final AuditLog audit;
  private final Clock clock;

  Organizations(
      TenantTransactions transactions,
      JdbcOrganizations rows,
      Environments environments,
      IdempotentCreation creation,
      FirstAdministratorAssigner administer,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.environments = environments;
    this.creation = creation;
    this.administer = administer;
    this.audit = audit;
    this.clock = clock;
  }

  /** Makes sure that the organisation and its environment exist; changes nothing when they do. */
  public void ensureExists(TenantId organization, EnvironmentId environment, Actor actor) {
    transactions.run(
        organization,
        () -> {
          ensureExists(organization, actor);
          environments.ensureExists(organization, environment, actor);
        });
  }

  /** Makes sure that the platform's own organisation exists, with or without environments. */
  public void ensurePlatform(Actor actor) {
    transactions.run(PLATFORM, () -> ensureExists(PLATFORM, actor));
  }

  private void ensureExists(TenantId organization, Actor actor) {
    if (rows.insertIfAbsent(organization, organization.value(), clock.instant())) {
      announce(organization, actor);
    }
  }

  private Organization announce(TenantId organization, Actor actor) {
    Organization made = rows.find(organization).orElseThrow();
    audit.done(organization, actor, "organization.create", TYPE, organization.value(), null, made);
    return made;
  }

  /** Whether the organisation exists and is not deleted for good. */
  public boolean exists(TenantId organization) {
    return transactions.within(organization, () -> rows.find(organization)).stream()
        .anyMatch(found -> found.state() != LifecycleState.DELETED);
  }

  /**
   * The organisation.
   *
   * @throws ProblemException {@code not_found}
   */
  public Organization get(TenantId organization) {
    return transactions.within(organization, () -> visible(rows.find(organization)));
  }

  /** Keeps an organisation that is there from other changes until the running transaction ends. */
  void lock(TenantId organization) {
    visible(rows.lock(organization));
  }

  /** The state of the organisation, also when it is deleted for good. */
  public LifecycleState stateOf(TenantId organization) {
    return transactions.within(organization, () -> rows.find(organization).orElseThrow().state());
  }

  /**
   * Makes an organisation that the person administers, once for an idempotency key. Its identifier
   * is drawn, or made from person and key, so that a repeated request comes to the same one.
   *
   * @throws ProblemException {@code invalid_request}; see also {@link IdempotentCreation}
   */
  public Created<Organization> create(
      String person, Actor actor, @Nullable String idempotencyKey, String displayName) {
    List<String> faults = new ArrayList<>();
    DisplayName.check("display_name", displayName, faults);
    refuse(faults);
    TenantId organization = OrganizationIdGenerator.of(person, idempotencyKey);
    return transactions.within(
        organization,
        () -> {
          boolean isNew = rows.insertIfAbsent(organization, displayName, clock.instant());
          return creation.once(
              organization,
              "organization.create",
              idempotencyKey,
              person + "\n" + displayName,
              new Creation<>(
                  () -> begin(organization, isNew, person, actor),
                  made -> made.id().value(),
                  made -> get(organization)));
        });
  }

  private Organization begin(TenantId organization, boolean isNew, String person, Actor actor) {
    if (!isNew) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "This Idempotency-Key made an organisation more than a day ago. Use a new one.");
    }
    Organization made = announce(organization, actor);
    administer.by(organization, person, actor);
    return made;
  }

  /**
   * Changes the name; null leaves it.
   *
   * @throws ProblemException {@code not_found}, {@code invalid_request}, {@code
   *     precondition_failed}
   */
  public Organization rename(
      TenantId organization, Actor actor, ExpectedVersion expected, @Nullable String displayName) {
    List<String> faults = new ArrayList<>();
    if (displayName != null) {
      DisplayName.check("display_name", displayName, faults);
    }
    refuse(faults);
    return change(
        organization,
        actor,
        "organization.rename",
        expected,
        before ->
            displayName == null || displayName.equals(before.displayName())
                ? before
                : before.renamed(displayName, clock.instant()));
  }

  /** Archives it: all its keys are refused until it is restored. */
  public Organization archive(TenantId organization, Actor actor, ExpectedVersion expected) {
    refusePlatform(organization);
    return change(
        organization,
        actor,
        "organization.archive",
        expected,
        before ->
            before.state() == LifecycleState.ARCHIVED
                ? before
                : before.in(LifecycleState.ARCHIVED, null, clock.instant()));
  }

  /** Makes it active again, unless its deletion is final. */
  public Organization restore(TenantId organization, Actor actor, ExpectedVersion expected) {
    return change(
        organization,
        actor,
        "organization.restore",
        expected,
        before ->
            before.state() == LifecycleState.ACTIVE
                ? before
                : before.in(LifecycleState.ACTIVE, null, clock.instant()));
  }

  /** Begins its deletion, which becomes final after the time of grace. */
  public Organization delete(TenantId organization, Actor actor, ExpectedVersion expected) {
    refusePlatform(organization);
    return change(
        organization,
        actor,
        "organization.delete",
        expected,
        before ->
            before.state() == LifecycleState.DELETING
                ? before
                : before.in(LifecycleState.DELETING, clock.instant().plus(GRACE), clock.instant()));
  }

  /** Makes a deletion final whose time of grace is over, with all environments. */
  void finishDeleting(TenantId organization, Actor actor) {
    transactions.run(
        organization,
        () ->
            rows.lock(organization)
                .filter(
                    found ->
                        found.state() == LifecycleState.DELETING
                            && !Objects.requireNonNull(found.deleteAfter())
                                .isAfter(clock.instant()))
                .ifPresent(
                    found -> {
                      environments.deleteAll(organization, actor);
                      store(
                          actor,
                          "organization.finish_deleting",
                          found,
                          found.in(LifecycleState.DELETED, null, clock.instant()));
                    }));
  }

  private Organization change(
      TenantId organization,
      Actor actor,
      String action,
      ExpectedVersion expected,
      UnaryOperator<Organization> change) {
    return transactions.within(
        organization,
        () -> {
          Organization before = visible(rows.lock(organization));
          expected.check(before.version());
          Organization after = change.apply(before);
          if (!after.equals(before)) {
            store(actor, action, before, after);
          }
          return after;
        });
  }

  /** The pipeline is told of environments; what they may do depends on the organisation's state. */
  private void store(Actor actor, String action, Organization before, Organization after) {
    TenantId organization = after.id();
    rows.update(organization, after);
    if (before.state() != after.state()) {
      environments.tellAll(organization);
    }
    audit.done(organization, actor, action, TYPE, organization.value(), before, after);
  }

  private static void refusePlatform(TenantId organization) {
    if (organization.equals(PLATFORM)) {
      throw ProblemException.of(
          ErrorCode.CONFLICT, "This is the platform's own organisation, which stays.");
    }
  }

  private static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  private static Organization visible(Optional<Organization> organization) {
    return organization
        .filter(found -> found.state() != LifecycleState.DELETED)
        .orElseThrow(
            () -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such organisation."));
  }
}
