package io.tidemark.platform.alerting;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a transition makes of its incident. Pure.
 *
 * @param incident as it is afterwards
 * @param event of its timeline
 */
record IncidentDecision(Incident incident, IncidentEvent event) {

  private static final String OPEN = "open";
  private static final String CONFIRMED = "The complete minute confirms it.";

  /**
   * Empty when the transition changes nothing.
   *
   * @param rule of the incident
   * @param before null when there is no such incident
   */
  static Optional<IncidentDecision> of(
      AlertRule rule, @Nullable Incident before, AlertTransition transition, Instant now) {
    boolean isOpenEarly = before != null && before.isOpen() && before.isEarly();
    boolean isFired = transition.kind() == AlertTransition.Kind.FIRED;
    if (transition.early() && (isFired ? before != null : !isOpenEarly)) {
      // A complete minute has decided it.
      return Optional.empty();
    }
    if (!isFired && before == null) {
      // Began before the rule was enabled again, or its beginning was never taken in.
      return Optional.empty();
    }
    IncidentEvent.Detail detail = IncidentEvent.Detail.of(transition);
    IncidentEvent event =
        isFired && isOpenEarly
            ? new IncidentEvent(now, "changed", detail.saying(CONFIRMED))
            : new IncidentEvent(now, transition.kind().name().toLowerCase(Locale.ROOT), detail);
    return Optional.of(
        new IncidentDecision(
            isFired
                ? fired(rule, before, transition, now)
                : changed(Objects.requireNonNull(before), transition),
            event));
  }

  private static Incident fired(
      AlertRule rule, @Nullable Incident before, AlertTransition transition, Instant now) {
    Incident begun = begun(rule, transition, now);
    return before == null ? begun : before.reopened(begun);
  }

  private static Incident changed(Incident before, AlertTransition transition) {
    Instant until = transition.until();
    return switch (transition.kind()) {
      case RESOLVED ->
          before.decided("resolved", transition.state(), transition.since(), until, null);
      case CORRECTED ->
          before.decided(
              until == null ? OPEN : "resolved",
              transition.state(),
              transition.since(),
              until,
              transition.value());
      case RETRACTED ->
          before.decided(
              "retracted",
              transition.state(),
              before.startedAt(),
              until == null ? transition.minute() : until,
              null);
      case CHANGED, FIRED ->
          before.decided(
              before.state(),
              transition.state(),
              before.startedAt(),
              before.endedAt(),
              transition.value());
    };
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
        Objects.requireNonNull(definition.severity()),
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
}
