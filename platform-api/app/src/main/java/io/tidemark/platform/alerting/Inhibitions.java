package io.tidemark.platform.alerting;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Inhibitions as people make and see them. */
@Service
public class Inhibitions {

  static final int MAX = 100;
  private static final String TYPE = "inhibition";

  private final TenantTransactions transactions;
  private final Environments environments;
  private final JdbcInhibitions rows;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final IdentifierSource identifiers;
  private final Clock clock;

  Inhibitions(
      TenantTransactions transactions,
      Environments environments,
      JdbcInhibitions rows,
      IdempotentCreation creation,
      AuditLog audit,
      IdentifierSource identifiers,
      Clock clock) {
    this.transactions = transactions;
    this.environments = environments;
    this.rows = rows;
    this.creation = creation;
    this.audit = audit;
    this.identifiers = identifiers;
    this.clock = clock;
  }

  /** Inhibitions of an environment by identifier; {@code not_found}. */
  public Page<Inhibition> list(TenantId organization, String environment, PageRequest page) {
    EnvironmentId place = environments.get(organization, environment).id();
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(organization, place, page.after(), page.limit() + 1),
                page,
                Inhibition::id));
  }

  /** An inhibition of the environment; {@code not_found}. */
  public Inhibition get(TenantId organization, String environment, String id) {
    return transactions
        .within(organization, () -> rows.find(organization, id))
        .filter(inhibition -> inhibition.environment().value().equals(environment))
        .orElseThrow(Inhibitions::unknown);
  }

  /**
   * Makes an inhibition, once for an idempotency key.
   *
   * @throws ProblemException {@code invalid_request}, {@code not_found}, {@code conflict}; see also
   *     {@link IdempotentCreation}
   */
  public Created<Inhibition> create(
      TenantId organization,
      Actor actor,
      String environment,
      @Nullable String idempotencyKey,
      InhibitionDefinition definition) {
    EnvironmentId place = environments.get(organization, environment).id();
    check(definition);
    return creation.once(
        organization,
        "inhibition.create " + environment,
        idempotencyKey,
        definition.toString(),
        new Creation<>(
            () -> make(organization, actor, place, definition),
            Inhibition::id,
            id -> get(organization, environment, id)));
  }

  private Inhibition make(
      TenantId organization,
      Actor actor,
      EnvironmentId environment,
      InhibitionDefinition definition) {
    if (rows.list(organization, environment, "", MAX).size() >= MAX) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The environment has " + MAX + " inhibitions, which is the most; delete one.");
    }
    Instant now = now();
    Inhibition made =
        new Inhibition("inh-" + identifiers.next(), environment, definition, 1, now, now);
    rows.put(organization, made);
    audit.done(organization, actor, "inhibition.create", TYPE, made.id(), null, definition);
    return made;
  }

  /** Replaces the definition. */
  public Inhibition change(
      TenantId organization,
      Actor actor,
      String environment,
      String id,
      ExpectedVersion expected,
      InhibitionDefinition definition) {
    return transactions.within(
        organization,
        () -> {
          Inhibition before = locked(organization, environment, id);
          check(definition);
          expected.check(before.version());
          if (definition.equals(before.definition())) {
            return before;
          }
          Inhibition after =
              new Inhibition(
                  id,
                  before.environment(),
                  definition,
                  before.version() + 1,
                  before.createdAt(),
                  now());
          rows.put(organization, after);
          audit.done(
              organization, actor, "inhibition.change", TYPE, id, before.definition(), definition);
          return after;
        });
  }

  /** What it suppressed and is still open is told. */
  public void delete(
      TenantId organization, Actor actor, String environment, String id, ExpectedVersion expected) {
    transactions.run(
        organization,
        () -> {
          Inhibition before = locked(organization, environment, id);
          expected.check(before.version());
          rows.delete(organization, id);
          audit.done(organization, actor, "inhibition.delete", TYPE, id, before.definition(), null);
        });
  }

  private Inhibition locked(TenantId organization, String environment, String id) {
    return rows.lock(organization, id)
        .filter(inhibition -> inhibition.environment().value().equals(environment))
        .orElseThrow(Inhibitions::unknown);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static void check(InhibitionDefinition definition) {
    ProblemException.refuse(definition.faults());
  }

  private static ProblemException unknown() {
    return ProblemException.of(ErrorCode.NOT_FOUND, "There is no such inhibition.");
  }
}
