package io.tidemark.platform.alerting;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Incidents as people see them and work on them. */
@Service
public class Incidents {

  private static final String TYPE = "incident";
  private static final int MAX_EVENTS = 1_000;
  private static final int LONGEST_COMMENT = 4_000;
  private static final int LONGEST_NAME = 120;

  private final TenantTransactions transactions;
  private final Environments environments;
  private final JdbcIncidents rows;
  private final IncidentAnnouncer announcer;
  private final AuditLog audit;
  private final Clock clock;

  Incidents(
      TenantTransactions transactions,
      Environments environments,
      JdbcIncidents rows,
      IncidentAnnouncer announcer,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.environments = environments;
    this.rows = rows;
    this.announcer = announcer;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * Incidents of an environment, newest first.
   *
   * @param state open, resolved or retracted; null for any
   * @param rule identifier; null for any
   */
  public Page<Incident> list(
      TenantId organization,
      String environment,
      @Nullable String state,
      @Nullable String rule,
      PageRequest page) {
    EnvironmentId place = environments.get(organization, environment).id();
    long before = page.after().isEmpty() ? Long.MAX_VALUE : number(page.after());
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(organization, place, state, rule, before, page.limit() + 1),
                page,
                incident -> Long.toString(incident.number())));
  }

  /** An incident of the environment; {@code not_found}. */
  public Incident get(TenantId organization, String environment, String id) {
    return transactions
        .within(organization, () -> rows.find(organization, id))
        .filter(incident -> incident.environment().value().equals(environment))
        .orElseThrow(Incidents::unknown);
  }

  /** What happened to it, oldest first. */
  public List<IncidentEvent> timeline(TenantId organization, String id) {
    return transactions.within(organization, () -> rows.events(organization, id, MAX_EVENTS));
  }

  /** Says that somebody works on it; again, it changes nothing. */
  public Incident acknowledge(
      TenantId organization, Actor actor, String environment, String id, ExpectedVersion expected) {
    return transactions.within(
        organization,
        () -> {
          Incident before = locked(organization, environment, id);
          expected.check(before.version());
          if (before.acknowledgedBy() != null) {
            return before;
          }
          if (!before.isOpen()) {
            throw ProblemException.of(ErrorCode.CONFLICT, "The incident is over.");
          }
          Instant now = now();
          rows.acknowledge(organization, id, actor.id(), now);
          audit.done(organization, actor, "incident.acknowledge", TYPE, id, null, null);
          Incident after = locked(organization, environment, id);
          announcer.announce(
              organization,
              after,
              new IncidentEvent(now, "acknowledged", IncidentEvent.Detail.by(actor.id(), null)),
              id + "-acknowledged");
          return locked(organization, environment, id);
        });
  }

  /** Adds a comment to the timeline. */
  public Incident comment(
      TenantId organization, Actor actor, String environment, String id, String text) {
    return transactions.within(
        organization,
        () -> {
          locked(organization, environment, id);
          checkComment(text);
          rows.touch(organization, id);
          rows.addEvent(
              organization,
              id,
              new IncidentEvent(now(), "commented", IncidentEvent.Detail.by(actor.id(), text)));
          audit.done(organization, actor, "incident.comment", TYPE, id, null, null);
          return locked(organization, environment, id);
        });
  }

  /** Names who is responsible; null for nobody. */
  public Incident assign(
      TenantId organization,
      Actor actor,
      String environment,
      String id,
      ExpectedVersion expected,
      @Nullable String to) {
    return transactions.within(
        organization,
        () -> {
          Incident before = locked(organization, environment, id);
          expected.check(before.version());
          checkName(to);
          rows.assign(organization, id, to);
          rows.addEvent(
              organization,
              id,
              new IncidentEvent(now(), "assigned", IncidentEvent.Detail.by(actor.id(), to)));
          audit.done(organization, actor, "incident.assign", TYPE, id, before.assignedTo(), to);
          return locked(organization, environment, id);
        });
  }

  /** Resolves open incidents of a rule that is not evaluated any more. */
  void end(TenantId organization, AlertRule rule, Actor actor, String why) {
    Instant now = now();
    for (Incident incident : rows.open(organization, rule.id())) {
      rows.decide(
          organization, incident.id(), "resolved", "normal", incident.startedAt(), now, null);
      Incident after = rows.find(organization, incident.id()).orElseThrow();
      announcer.announce(
          organization,
          after,
          new IncidentEvent(now, "resolved", IncidentEvent.Detail.by(actor.id(), why)),
          incident.id() + "-" + after.version());
    }
  }

  private static void checkComment(String text) {
    if (text == null
        || text.isBlank()
        || text.length() > LONGEST_COMMENT
        || text.indexOf('\0') >= 0) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "text must be 1 to " + LONGEST_COMMENT + " characters.");
    }
  }

  private static void checkName(@Nullable String to) {
    if (to != null
        && (to.isBlank()
            || to.length() > LONGEST_NAME
            || to.codePoints().anyMatch(Character::isISOControl))) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "to must be 1 to " + LONGEST_NAME + " characters, or absent for nobody.");
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private Incident locked(TenantId organization, String environment, String id) {
    return rows.lock(organization, id)
        .filter(incident -> incident.environment().value().equals(environment))
        .orElseThrow(Incidents::unknown);
  }

  static long number(String place) {
    try {
      return Long.parseLong(place);
    } catch (NumberFormatException notOurs) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "cursor is not one that this list gave out. Take it from meta.next_cursor, or leave it"
              + " out.");
    }
  }

  private static ProblemException unknown() {
    return ProblemException.of(ErrorCode.NOT_FOUND, "There is no such incident.");
  }
}
