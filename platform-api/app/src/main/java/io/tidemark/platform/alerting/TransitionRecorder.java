package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Service;

/**
 * Turns what the pipeline decided into states and incidents, each transition once however often it
 * is read: the transition's identifier, the incident and the messages about it commit together.
 */
@Service
public class TransitionRecorder {

  private static final String OPEN = "open";
  private static final String CONFIRMED = "The complete minute confirms it.";

  private final TenantTransactions transactions;
  private final JdbcAlertRules rules;
  private final JdbcIncidents rows;
  private final JdbcTransitions known;
  private final IncidentAnnouncer announcer;
  private final Clock clock;

  TransitionRecorder(
      TenantTransactions transactions,
      JdbcAlertRules rules,
      JdbcIncidents rows,
      JdbcTransitions known,
      IncidentAnnouncer announcer,
      Clock clock) {
    this.transactions = transactions;
    this.rules = rules;
    this.rows = rows;
    this.known = known;
    this.announcer = announcer;
    this.clock = clock;
  }

  /** Takes a transition in; one of a rule that is deleted or not enabled changes nothing. */
  public void record(AlertTransition transition) {
    TenantId organization = transition.organization();
    transactions.run(
        organization,
        () -> {
          Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
          Optional<AlertRule> rule =
              rules
                  .lock(organization, transition.ruleId())
                  .filter(found -> found.definition().enabled())
                  .filter(found -> found.environment().equals(transition.environment()));
          if (rule.isEmpty() || !known.takeIn(organization, transition, now)) {
            return;
          }
          if (transition.released()) {
            rules.removeGroup(organization, transition.ruleId(), transition.groupId());
          } else if (!transition.early()) {
            // A group's state is what complete minutes decided.
            rules.putGroup(organization, transition);
          }
          if (!transition.incidentId().isEmpty()) {
            decide(rule.get(), transition, now);
          }
        });
  }

  private void decide(AlertRule rule, AlertTransition transition, Instant now) {
    TenantId organization = transition.organization();
    String id = transition.incidentId();
    Optional<Incident> before = rows.lock(organization, id);
    boolean isOpenEarly = before.filter(Incident::isOpen).filter(Incident::isEarly).isPresent();
    boolean isFired = transition.kind() == AlertTransition.Kind.FIRED;
    if (transition.early() && (isFired ? before.isPresent() : !isOpenEarly)) {
      // A complete minute has decided it.
      return;
    }
    if (isFired) {
      rows.open(organization, begun(rule, transition, now));
    } else if (before.isEmpty()) {
      // Began before the rule was enabled again, or its beginning was never taken in.
      return;
    } else {
      change(organization, before.get(), transition);
    }
    announcer.announce(
        organization,
        rows.find(organization, id).orElseThrow(),
        isFired && isOpenEarly
            ? new IncidentEvent(
                now, "changed", IncidentEvent.Detail.of(transition).saying(CONFIRMED))
            : new IncidentEvent(now, kind(transition), IncidentEvent.Detail.of(transition)),
        transition.id());
  }

  private void change(TenantId organization, Incident before, AlertTransition transition) {
    Instant until = transition.until();
    switch (transition.kind()) {
      case RESOLVED ->
          rows.decide(
              organization,
              before.id(),
              "resolved",
              transition.state(),
              transition.since(),
              until,
              null);
      case CORRECTED ->
          rows.decide(
              organization,
              before.id(),
              until == null ? OPEN : "resolved",
              transition.state(),
              transition.since(),
              until,
              transition.value());
      case RETRACTED ->
          rows.decide(
              organization,
              before.id(),
              "retracted",
              transition.state(),
              before.startedAt(),
              until == null ? transition.minute() : until,
              null);
      case CHANGED, FIRED ->
          rows.decide(
              organization,
              before.id(),
              before.state(),
              transition.state(),
              before.startedAt(),
              before.endedAt(),
              transition.value());
    }
  }

  private static Incident begun(AlertRule rule, AlertTransition transition, Instant now) {
    AlertRuleDefinition definition = rule.definition();
    Map<String, String> annotations = new TreeMap<>();
    definition
        .annotations()
        .forEach((name, text) -> annotations.put(name, AnnotationTemplate.fill(text, transition)));
    return new Incident(
        transition.incidentId(),
        rule.environment(),
        0,
        rule.id(),
        definition.name(),
        definition.severity(),
        OPEN,
        transition.state(),
        transition.group(),
        definition.labels(),
        annotations,
        definition.runbookUrl(),
        transition.since(),
        null,
        now,
        transition.value(),
        transition.threshold(),
        null,
        null,
        null,
        false,
        null,
        transition.early(),
        1);
  }

  private static String kind(AlertTransition transition) {
    return transition.kind().name().toLowerCase(java.util.Locale.ROOT);
  }
}
