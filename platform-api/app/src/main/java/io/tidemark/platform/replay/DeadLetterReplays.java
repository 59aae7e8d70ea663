package io.tidemark.platform.replay;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.replay.DeadLetterReplay.State;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.EnvironmentDeleted;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;

/** Replays of dead letters as people ask for them and see them. */
@Service
public class DeadLetterReplays {

  static final int KEPT = 50;
  private static final String TYPE = "dead_letter_replay";
  private static final Duration USUAL = Duration.ofHours(24);

  private final TenantTransactions transactions;
  private final Environments environments;
  private final JdbcDeadLetterReplays rows;
  private final CrossTenantReplays all;
  private final ReplayRunner runner;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final ReplayProperties properties;
  private final IdentifierSource identifiers;
  private final Clock clock;

  DeadLetterReplays(
      TenantTransactions transactions,
      Environments environments,
      JdbcDeadLetterReplays rows,
      CrossTenantReplays all,
      ReplayRunner runner,
      IdempotentCreation creation,
      AuditLog audit,
      ReplayProperties properties,
      IdentifierSource identifiers,
      Clock clock) {
    this.transactions = transactions;
    this.environments = environments;
    this.rows = rows;
    this.all = all;
    this.runner = runner;
    this.creation = creation;
    this.audit = audit;
    this.properties = properties;
    this.identifiers = identifiers;
    this.clock = clock;
  }

  /**
   * Which letters are meant.
   *
   * @param reasons none for all
   * @param receivedFrom null for 24 hours ago
   * @param receivedTo null for now
   */
  public record Draft(
      List<String> reasons, @Nullable Instant receivedFrom, @Nullable Instant receivedTo) {
    public Draft {
      reasons = reasons.stream().distinct().sorted().toList();
    }
  }

  /** Replays, newest first; {@code not_found}. */
  public Page<DeadLetterReplay> list(TenantId organization, String environment, PageRequest page) {
    EnvironmentId place = environments.get(organization, environment).id();
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(organization, place, page.after(), page.limit() + 1),
                page,
                DeadLetterReplay::id));
  }

  /** A replay; {@code not_found}. */
  public DeadLetterReplay get(TenantId organization, String environment, String id) {
    EnvironmentId place = environments.get(organization, environment).id();
    return transactions
        .within(organization, () -> rows.find(organization, place, id))
        .orElseThrow(DeadLetterReplays::unknown);
  }

  /**
   * Has a replay counted, once for an idempotency key.
   *
   * @throws ProblemException {@code invalid_request}, {@code not_found}, {@code conflict}; see also
   *     {@link IdempotentCreation}
   */
  public Created<DeadLetterReplay> create(
      TenantId organization,
      Actor actor,
      String environment,
      @Nullable String idempotencyKey,
      Draft draft) {
    EnvironmentId place = environments.get(organization, environment).id();
    return creation.once(
        organization,
        "dead_letter_replay.create " + place.value(),
        idempotencyKey,
        draft.toString(),
        new Creation<>(
            () -> make(organization, actor, place, draft),
            DeadLetterReplay::id,
            id -> get(organization, environment, id)));
  }

  private DeadLetterReplay make(
      TenantId organization, Actor actor, EnvironmentId environment, Draft draft) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Instant from = draft.receivedFrom() == null ? now.minus(USUAL) : draft.receivedFrom();
    Instant to = draft.receivedTo() == null ? now : draft.receivedTo();
    check(draft, from, to, now);
    refuseSecond(organization, environment);
    DeadLetterReplay made =
        new DeadLetterReplay(
            "dlr-" + identifiers.next(),
            environment,
            State.COUNTING,
            draft.reasons(),
            from,
            to,
            now,
            null,
            null,
            List.of(),
            List.of(),
            0,
            0,
            null);
    rows.insert(organization, made);
    rows.removeOld(organization, environment, KEPT);
    audit.done(
        organization, actor, "dead_letter_replay.count", TYPE, made.id(), null, made.outline());
    return made;
  }

  private void check(Draft draft, Instant from, Instant to, Instant now) {
    List<String> faults = new ArrayList<>();
    for (String reason : draft.reasons()) {
      if (!runner.reasons().contains(reason)) {
        faults.add("reasons has '" + shown(reason) + "', which is no reason of dead letters.");
      }
    }
    if (!from.isBefore(to)) {
      faults.add("received_from must be before received_to.");
    }
    if (from.isBefore(now.minus(properties.maxAge()))) {
      faults.add(
          "received_from is too long ago; dead letters are kept for "
              + properties.maxAge().toDays()
              + " days.");
    }
    if (to.isAfter(now.plus(Duration.ofDays(1)))) {
      faults.add("received_to is in the future; leave it out for now.");
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  private static String shown(String text) {
    String plain = text.replaceAll("[^A-Za-z0-9_ -]", "?");
    return plain.substring(0, Math.min(plain.length(), 64));
  }

  /** Others that begin one wait for this transaction, and then see what it began. */
  private void refuseSecond(TenantId organization, EnvironmentId environment) {
    all.lock();
    if (rows.isOneRunning(organization, environment)) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "Another replay of the environment is being counted or executed. Wait until it is done.");
    }
  }

  /**
   * Has a counted replay executed; one that is under way or completed stays as it is.
   *
   * @throws ProblemException {@code not_found}, {@code conflict}
   */
  public DeadLetterReplay execute(
      TenantId organization, Actor actor, String environment, String id) {
    EnvironmentId place = environments.get(organization, environment).id();
    return transactions.within(
        organization,
        () -> {
          all.lock();
          DeadLetterReplay before =
              rows.find(organization, place, id).orElseThrow(DeadLetterReplays::unknown);
          switch (before.state()) {
            case REPLAYING, COMPLETED -> {
              return before;
            }
            case COUNTING ->
                throw ProblemException.of(
                    ErrorCode.CONFLICT, "The replay is still being counted. Wait until it is.");
            case FAILED ->
                throw ProblemException.of(
                    ErrorCode.CONFLICT, "The replay failed. Create another, which counts again.");
            case COUNTED -> {
              if (!environments.hasActive(organization, place)) {
                throw ProblemException.of(
                    ErrorCode.CONFLICT,
                    "The environment is archived and takes no points. Restore it first.");
              }
              refuseSecond(organization, place);
              rows.execute(organization, id, clock.instant().truncatedTo(ChronoUnit.MICROS));
              DeadLetterReplay after = rows.find(organization, place, id).orElseThrow();
              audit.done(
                  organization,
                  actor,
                  "dead_letter_replay.execute",
                  TYPE,
                  id,
                  before.outline(),
                  after.outline());
              return after;
            }
          }
          throw new IllegalStateException("A state that is not known: " + before.state());
        });
  }

  @EventListener
  void forget(EnvironmentDeleted deleted) {
    rows.removeAll(deleted.organization(), deleted.environment());
  }

  private static ProblemException unknown() {
    return ProblemException.of(ErrorCode.NOT_FOUND, "There is no such replay of dead letters.");
  }
}
