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

/** Silences as people make and see them. */
@Service
public class Silences {

  private static final int MAX = 500;
  private static final String TYPE = "silence";

  private final TenantTransactions transactions;
  private final Environments environments;
  private final JdbcSilences rows;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final IdentifierSource identifiers;
  private final Clock clock;

  Silences(
      TenantTransactions transactions,
      Environments environments,
      JdbcSilences rows,
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

  /** Silences of an environment, newest first; {@code not_found}. */
  public Page<Silence> list(TenantId organization, String environment, PageRequest page) {
    EnvironmentId place = environments.get(organization, environment).id();
    long before = page.after().isEmpty() ? Long.MAX_VALUE : Incidents.number(page.after());
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(organization, place, before, page.limit() + 1),
                page,
                silence -> Long.toString(silence.number())));
  }

  /** A silence of the environment; {@code not_found}. */
  public Silence get(TenantId organization, String environment, String id) {
    return transactions
        .within(organization, () -> rows.find(organization, id))
        .filter(silence -> silence.environment().value().equals(environment))
        .orElseThrow(Silences::unknown);
  }

  /** waiting, active or over. */
  public String state(Silence silence) {
    return silence.definition().state(clock.instant());
  }

  /**
   * Makes a silence, once for an idempotency key.
   *
   * @throws ProblemException {@code invalid_request}, {@code not_found}, {@code conflict}; see also
   *     {@link IdempotentCreation}
   */
  public Created<Silence> create(
      TenantId organization,
      Actor actor,
      String environment,
      @Nullable String idempotencyKey,
      SilenceDefinition draft) {
    EnvironmentId place = environments.get(organization, environment).id();
    Instant now = now();
    SilenceDefinition definition = draft.startingAt(now);
    check(definition);
    return creation.once(
        organization,
        "silence.create " + environment,
        idempotencyKey,
        draft.toString(),
        new Creation<>(
            () -> make(organization, actor, place, definition, now),
            Silence::id,
            id -> get(organization, environment, id)));
  }

  private Silence make(
      TenantId organization,
      Actor actor,
      EnvironmentId environment,
      SilenceDefinition definition,
      Instant now) {
    if (rows.current(organization, environment, now).size() >= MAX) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The environment has "
              + MAX
              + " silences that are not over, which is the most; delete"
              + " one.");
    }
    String id = "sil-" + identifiers.next();
    rows.insert(organization, new Silence(id, environment, 0, definition, actor.id(), 1, now, now));
    audit.done(organization, actor, "silence.create", TYPE, id, null, definition);
    return rows.find(organization, id).orElseThrow();
  }

  /** Replaces the definition; a draft without a start keeps the one before. */
  public Silence change(
      TenantId organization,
      Actor actor,
      String environment,
      String id,
      ExpectedVersion expected,
      SilenceDefinition draft) {
    return transactions.within(
        organization,
        () -> {
          Silence before = locked(organization, environment, id);
          SilenceDefinition definition = draft.startingAt(before.definition().startsAt());
          check(definition);
          expected.check(before.version());
          if (definition.equals(before.definition())) {
            return before;
          }
          Silence after =
              new Silence(
                  id,
                  before.environment(),
                  before.number(),
                  definition,
                  before.createdBy(),
                  before.version() + 1,
                  before.createdAt(),
                  now());
          rows.update(organization, after);
          audit.done(
              organization, actor, "silence.change", TYPE, id, before.definition(), definition);
          return after;
        });
  }

  /** Ends it at once. */
  public void delete(
      TenantId organization, Actor actor, String environment, String id, ExpectedVersion expected) {
    transactions.run(
        organization,
        () -> {
          Silence before = locked(organization, environment, id);
          expected.check(before.version());
          rows.delete(organization, id);
          audit.done(organization, actor, "silence.delete", TYPE, id, before.definition(), null);
        });
  }

  private Silence locked(TenantId organization, String environment, String id) {
    return rows.lock(organization, id)
        .filter(silence -> silence.environment().value().equals(environment))
        .orElseThrow(Silences::unknown);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static void check(SilenceDefinition definition) {
    ProblemException.refuse(definition.faults());
  }

  private static ProblemException unknown() {
    return ProblemException.of(ErrorCode.NOT_FOUND, "There is no such silence.");
  }
}
