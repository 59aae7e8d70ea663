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
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
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
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/**
 * The environments of organisations. Every change is audited and published as {@link
 * EnvironmentChanged}.
 */
@Service
public class Environments {

  /** How long a deletion can be taken back. */
  static final Duration GRACE = Duration.ofDays(7);

  private static final String TYPE = "environment";

  private final TenantTransactions transactions;
  private final JdbcEnvironments rows;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final Clock clock;
  private final PlanProperties plan;
  private final ApplicationEventPublisher events;

  Environments(
      TenantTransactions transactions,
      JdbcEnvironments rows,
      IdempotentCreation creation,
      AuditLog audit,
      Clock clock,
      PlanProperties plan,
      ApplicationEventPublisher events) {
    this.transactions = transactions;
    this.rows = rows;
    this.creation = creation;
    this.audit = audit;
    this.clock = clock;
    this.plan = plan;
    this.events = events;
  }

  /** Whether the organisation has the environment and it is active. */
  public boolean hasActive(TenantId organization, EnvironmentId environment) {
    return transactions.within(
        organization,
        () ->
            rows.find(organization, environment)
                .filter(found -> found.state() == LifecycleState.ACTIVE)
                .isPresent());
  }

  /** The environment, also when its deletion is final. */
  public Optional<Environment> inAnyState(TenantId organization, EnvironmentId environment) {
    return transactions.within(organization, () -> rows.find(organization, environment));
  }

  /** Environments by identifier; those deleted for good are left out. */
  public Page<Environment> list(TenantId organization, PageRequest page) {
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(organization, page.after(), page.limit() + 1),
                page,
                environment -> environment.id().value()));
  }

  /**
   * The environment.
   *
   * @param id as the caller wrote it
   * @throws ProblemException {@code not_found}
   */
  public Environment get(TenantId organization, String id) {
    return transactions.within(organization, () -> visible(rows.find(organization, form(id))));
  }

  /**
   * Makes an environment, once for an idempotency key.
   *
   * @throws ProblemException {@code invalid_request}; {@code conflict} when the identifier is or
   *     was another's; see also {@link IdempotentCreation}
   */
  public Created<Environment> create(
      TenantId organization,
      Actor actor,
      @Nullable String idempotencyKey,
      String id,
      String displayName) {
    List<String> faults = new ArrayList<>();
    if (id == null || !TenantId.isWellFormed(id)) {
      faults.add("id must be 1 to 63 of a-z, 0-9 and '-', not starting with '-'.");
    }
    DisplayName.check("display_name", displayName, faults);
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    EnvironmentId environment = new EnvironmentId(id);
    return creation.once(
        organization,
        "environment.create",
        idempotencyKey,
        id + "\n" + displayName,
        new Creation<>(
            () -> {
              refuseMoreThanPlan(organization);
              if (!rows.insertIfAbsent(organization, environment, displayName, clock.instant())) {
                throw ProblemException.of(
                    ErrorCode.CONFLICT,
                    "The identifier " + id + " is in use, or was; choose another.");
              }
              return announce(organization, environment, actor);
            },
            made -> made.id().value(),
            made -> get(organization, made)));
  }

  /** Every environment has the plan's budgets, so that their number is what multiplies them. */
  private void refuseMoreThanPlan(TenantId organization) {
    // Whoever makes another one at the same time waits, and then counts this one too.
    rows.lockOrganization(organization);
    if (rows.count(organization) >= plan.maxEnvironments()) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "An organisation has at most "
              + plan.maxEnvironments()
              + " environments. Delete one, or ask an operator for more.");
    }
  }

  /**
   * Tells the pipeline again, because something else that it is told of the environment changed.
   */
  public void tellAgain(TenantId organization, EnvironmentId environment) {
    transactions.run(
        organization, () -> rows.find(organization, environment).ifPresent(this::publish));
  }

  /** Makes the environment when it is not there; for environments that the settings name. */
  void ensureExists(TenantId organization, EnvironmentId environment, Actor actor) {
    if (rows.insertIfAbsent(organization, environment, environment.value(), clock.instant())) {
      announce(organization, environment, actor);
    }
  }

  private Environment announce(TenantId organization, EnvironmentId environment, Actor actor) {
    Environment made = rows.find(organization, environment).orElseThrow();
    publish(made);
    audit.done(organization, actor, "environment.create", TYPE, environment.value(), null, made);
    return made;
  }

  /** Changes the name; null leaves it. */
  public Environment rename(
      TenantId organization,
      Actor actor,
      String id,
      ExpectedVersion expected,
      @Nullable String displayName) {
    List<String> faults = new ArrayList<>();
    if (displayName != null) {
      DisplayName.check("display_name", displayName, faults);
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    return change(
        organization,
        actor,
        "environment.rename",
        id,
        expected,
        before ->
            displayName == null || displayName.equals(before.displayName())
                ? before
                : before.renamed(displayName, clock.instant()));
  }

  /**
   * Archives it: its keys are refused until it is restored.
   *
   * @param callersOwn the environment of the key that asks for it, which is refused ({@code
   *     conflict}): the caller would lock itself out; null for a person
   */
  public Environment archive(
      TenantId organization,
      Actor actor,
      String id,
      ExpectedVersion expected,
      @Nullable EnvironmentId callersOwn) {
    refuseOwn(id, callersOwn);
    return change(
        organization,
        actor,
        "environment.archive",
        id,
        expected,
        before ->
            before.state() == LifecycleState.ARCHIVED
                ? before
                : before.in(LifecycleState.ARCHIVED, null, clock.instant()));
  }

  /** Makes it active again, unless its deletion is final. */
  public Environment restore(
      TenantId organization, Actor actor, String id, ExpectedVersion expected) {
    return change(
        organization,
        actor,
        "environment.restore",
        id,
        expected,
        before ->
            before.state() == LifecycleState.ACTIVE
                ? before
                : before.in(LifecycleState.ACTIVE, null, clock.instant()));
  }

  /** Begins its deletion, which becomes final after the time of grace. See {@link #archive}. */
  public Environment delete(
      TenantId organization,
      Actor actor,
      String id,
      ExpectedVersion expected,
      @Nullable EnvironmentId callersOwn) {
    refuseOwn(id, callersOwn);
    return change(
        organization,
        actor,
        "environment.delete",
        id,
        expected,
        before ->
            before.state() == LifecycleState.DELETING
                ? before
                : before.in(LifecycleState.DELETING, clock.instant().plus(GRACE), clock.instant()));
  }

  /** Makes a deletion final whose time of grace is over; otherwise does nothing. */
  void finishDeleting(TenantId organization, EnvironmentId environment, Actor actor) {
    transactions.run(
        organization,
        () ->
            rows.lock(organization, environment)
                .filter(
                    found ->
                        found.state() == LifecycleState.DELETING
                            && !Objects.requireNonNull(found.deleteAfter())
                                .isAfter(clock.instant()))
                .ifPresent(
                    found -> {
                      store(
                          organization,
                          actor,
                          "environment.finish_deleting",
                          found,
                          found.in(LifecycleState.DELETED, null, clock.instant()));
                      events.publishEvent(new EnvironmentDeleted(organization, environment, actor));
                    }));
  }

  /** Environments whose deletion is final. */
  public List<EnvironmentId> deleted(TenantId organization) {
    return transactions.within(organization, () -> rows.deleted(organization));
  }

  /** Makes the deletion of every environment final; joins the running transaction. */
  void deleteAll(TenantId organization, Actor actor) {
    for (Environment found : locked(organization)) {
      store(
          organization,
          actor,
          "environment.finish_deleting",
          found,
          found.in(LifecycleState.DELETED, null, clock.instant()));
      events.publishEvent(new EnvironmentDeleted(organization, found.id(), actor));
    }
  }

  private void publish(Environment environment) {
    events.publishEvent(new EnvironmentChanged(environment));
  }

  /** Tells the pipeline of every environment anew; joins the running transaction. */
  void tellAll(TenantId organization) {
    locked(organization).forEach(this::publish);
  }

  private List<Environment> locked(TenantId organization) {
    return rows.list(organization, "", Integer.MAX_VALUE).stream()
        .flatMap(listed -> rows.lock(organization, listed.id()).stream())
        .toList();
  }

  /**
   * Replaces the budgets.
   *
   * @param expected version of the budgets
   */
  Environment changeBudgets(
      TenantId organization, Actor actor, String id, ExpectedVersion expected, Budgets budgets) {
    List<String> faults = budgets.faults(plan);
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    return change(
        organization,
        actor,
        "budgets.change",
        id,
        ExpectedVersion.ANY,
        before -> {
          expected.check(before.budgetsVersion());
          return budgets.equals(before.budgets()) ? before : before.with(budgets, clock.instant());
        });
  }

  private Environment change(
      TenantId organization,
      Actor actor,
      String action,
      String id,
      ExpectedVersion expected,
      UnaryOperator<Environment> change) {
    EnvironmentId environment = form(id);
    return transactions.within(
        organization,
        () -> {
          Environment before = visible(rows.lock(organization, environment));
          expected.check(before.version());
          Environment after = change.apply(before);
          if (!after.equals(before)) {
            store(organization, actor, action, before, after);
          }
          return after;
        });
  }

  private void store(
      TenantId organization, Actor actor, String action, Environment before, Environment after) {
    rows.update(organization, after);
    publish(after);
    audit.done(organization, actor, action, TYPE, after.id().value(), before, after);
  }

  private static void refuseOwn(String id, @Nullable EnvironmentId callersOwn) {
    if (callersOwn != null && callersOwn.value().equals(id)) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The key that is calling belongs to the environment "
              + id
              + " and would stop working. Use a key of another environment.");
    }
  }

  private static EnvironmentId form(String id) {
    if (!TenantId.isWellFormed(id)) {
      throw missing();
    }
    return new EnvironmentId(id);
  }

  private static Environment visible(Optional<Environment> environment) {
    return environment
        .filter(found -> found.state() != LifecycleState.DELETED)
        .orElseThrow(Environments::missing);
  }

  private static ProblemException missing() {
    return ProblemException.of(ErrorCode.NOT_FOUND, "There is no such environment.");
  }
}
