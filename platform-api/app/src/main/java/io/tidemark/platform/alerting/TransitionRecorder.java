package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Turns what the pipeline decided into states and incidents, each transition once however often it
 * is read: the transition's identifier, the incident and the messages about it commit together.
 */
@Service
public class TransitionRecorder implements TransitionWriter {

  private final TenantTransactions transactions;
  private final JdbcAlertRules rules;
  private final JdbcIncidents rows;
  private final JdbcTransitions known;
  private final Suppressions suppressions;
  private final IncidentAnnouncer announcer;
  private final Clock clock;

  TransitionRecorder(
      TenantTransactions transactions,
      JdbcAlertRules rules,
      JdbcIncidents rows,
      JdbcTransitions known,
      Suppressions suppressions,
      IncidentAnnouncer announcer,
      Clock clock) {
    this.transactions = transactions;
    this.rules = rules;
    this.rows = rows;
    this.known = known;
    this.suppressions = suppressions;
    this.announcer = announcer;
    this.clock = clock;
  }

  /** Takes a transition in; one of a rule that is deleted or not enabled changes nothing. */
  public void record(AlertTransition transition) {
    record(transition.organization(), List.of(transition));
  }

  /** Takes transitions in; those of a rule that is deleted or not enabled change nothing. */
  @Override
  public void record(TenantId organization, List<AlertTransition> transitions) {
    transactions.run(organization, () -> recordInTransaction(organization, transitions));
  }

  private void recordInTransaction(TenantId organization, List<AlertTransition> transitions) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Map<String, AlertRule> inForce = new HashMap<>();
    rules.lock(organization, transitions.stream().map(AlertTransition::ruleId).toList()).stream()
        .filter(rule -> rule.definition().enabled())
        .forEach(rule -> inForce.put(rule.id(), rule));
    List<AlertTransition> taken =
        known.takeIn(
            organization,
            transitions.stream()
                .filter(transition -> isOf(inForce.get(transition.ruleId()), transition))
                .toList(),
            now);
    GroupChanges groups = GroupChanges.of(taken);
    rules.removeGroups(organization, groups.removed());
    rules.putGroups(organization, groups.latest());
    decide(
        organization,
        inForce,
        taken.stream().filter(transition -> !transition.incidentId().isEmpty()).toList(),
        now);
  }

  private static boolean isOf(@Nullable AlertRule rule, AlertTransition transition) {
    return rule != null && rule.environment().equals(transition.environment());
  }

  private void decide(
      TenantId organization,
      Map<String, AlertRule> inForce,
      List<AlertTransition> transitions,
      Instant now) {
    Map<String, Incident> incidents = new HashMap<>();
    rows.lock(organization, transitions.stream().map(AlertTransition::incidentId).toList())
        .forEach(incident -> incidents.put(incident.id(), incident));
    Map<EnvironmentId, EnvironmentSuppressors> suppressors = new HashMap<>();
    Map<String, Incident> changed = new LinkedHashMap<>();
    List<Announcement> announcements = new ArrayList<>();
    for (AlertTransition transition : transitions) {
      String id = transition.incidentId();
      Optional<IncidentDecision> decision =
          IncidentDecision.of(
              Objects.requireNonNull(inForce.get(transition.ruleId())),
              incidents.get(id),
              transition,
              now);
      if (decision.isEmpty()) {
        continue;
      }
      Incident incident = decision.get().incident();
      EnvironmentSuppressors ofEnvironment =
          suppressors.computeIfAbsent(
              incident.environment(),
              environment -> suppressions.of(organization, environment, now));
      Announcement announcement =
          Announcement.of(
              organization,
              incident,
              decision.get().event(),
              transition.id(),
              ofEnvironment.of(incident).orElse(null));
      ofEnvironment.put(announcement.incident());
      incidents.put(id, announcement.incident());
      changed.put(id, announcement.incident());
      announcements.add(announcement);
    }
    rows.put(organization, List.copyOf(changed.values()));
    announcer.announce(organization, announcements);
  }
}
