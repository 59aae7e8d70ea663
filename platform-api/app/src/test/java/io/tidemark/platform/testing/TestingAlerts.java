package io.tidemark.platform.testing;

import io.tidemark.platform.alerting.AlertTransition;
import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.alerting.TransitionRecorder;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.Map;

/** Alert rules of tests, and what the pipeline would say of them. */
public final class TestingAlerts {

  /** A rule as the control API takes it. */
  public static final String RULE =
      """
      {"name":"Queue is long","severity":"critical","labels":{"team":"it"},
       "annotations":{"summary":"{{labels.metric.queue}} has {{value}}"},
       "condition":{"metric":"queue","operator":"gt","threshold":100,"group_by":["metric.queue"]}}
      """;

  /** An integration whose receiver is not there. */
  public static final String INTEGRATION =
      "{\"name\":\"Nobody\",\"kind\":\"webhook\",\"url\":\"http://127.0.0.1:9/\"}";

  /** A silence that fits nothing. */
  public static final String SILENCE =
      """
      {"comment":"Upgrade","matchers":[{"label":"rule_id","operator":"eq","value":"rule-nobody"}],
       "ends_at":"2099-01-01T00:00:00Z","starts_at":"2098-12-01T00:00:00Z"}
      """;

  /** An inhibition that fits nothing. */
  public static final String INHIBITION =
      """
      {"name":"Nothing","equal":["metric.queue"],
       "source":[{"label":"rule_id","operator":"eq","value":"rule-nobody"}],
       "target":[{"label":"rule_id","operator":"eq","value":"rule-nowhere"}]}
      """;

  public static final Instant MINUTE = Instant.parse("2026-11-23T10:00:00Z");

  private TestingAlerts() {}

  /** A transition of an incident; {@code sequence} makes it another one. */
  public static AlertTransition transition(
      TenantId organization,
      String environment,
      String rule,
      String incident,
      long sequence,
      Kind kind) {
    boolean isOver = kind == Kind.RESOLVED || kind == Kind.RETRACTED;
    return new AlertTransition(
        incident + "-" + sequence,
        organization,
        new EnvironmentId(environment),
        rule,
        1,
        "group-" + incident,
        Map.of("metric.queue", "orders"),
        sequence,
        kind,
        isOver ? "normal" : "firing",
        incident,
        MINUTE.plusSeconds(60 * sequence),
        MINUTE,
        isOver ? MINUTE.plusSeconds(60 * sequence) : null,
        150.0,
        100,
        MINUTE.plusSeconds(60 * sequence + 60),
        false,
        kind == Kind.CORRECTED || kind == Kind.RETRACTED,
        false,
        "");
  }

  /** The same, of a minute that is not complete. */
  public static AlertTransition early(AlertTransition transition) {
    return new AlertTransition(
        transition.id() + "-early",
        transition.organization(),
        transition.environment(),
        transition.ruleId(),
        transition.ruleVersion(),
        transition.groupId(),
        transition.group(),
        0,
        transition.kind(),
        transition.state(),
        transition.incidentId(),
        transition.minute(),
        transition.since(),
        transition.until(),
        transition.value(),
        transition.threshold(),
        transition.completeUntil(),
        true,
        false,
        false,
        "The minute is not complete yet.");
  }

  /** The same, of a group that the pipeline lets go of. */
  public static AlertTransition released(AlertTransition transition) {
    return new AlertTransition(
        transition.id(),
        transition.organization(),
        transition.environment(),
        transition.ruleId(),
        transition.ruleVersion(),
        transition.groupId(),
        transition.group(),
        transition.sequence(),
        transition.kind(),
        transition.state(),
        transition.incidentId(),
        transition.minute(),
        transition.since(),
        transition.until(),
        transition.value(),
        transition.threshold(),
        transition.completeUntil(),
        transition.early(),
        transition.revised(),
        true,
        transition.reason());
  }

  /** The same with another state of its group. */
  public static AlertTransition inState(AlertTransition transition, String state) {
    return new AlertTransition(
        transition.id(),
        transition.organization(),
        transition.environment(),
        transition.ruleId(),
        transition.ruleVersion(),
        transition.groupId(),
        transition.group(),
        transition.sequence(),
        transition.kind(),
        state,
        transition.incidentId(),
        transition.minute(),
        transition.since(),
        transition.until(),
        transition.value(),
        transition.threshold(),
        transition.completeUntil(),
        transition.early(),
        transition.revised(),
        transition.released(),
        transition.reason());
  }

  /** An open incident of a rule. */
  public static String incident(
      RunningPlatform platform, TenantId organization, String environment, String rule) {
    String incident = "incident-of-" + rule;
    platform
        .bean(TransitionRecorder.class)
        .record(transition(organization, environment, rule, incident, 1, Kind.FIRED));
    return incident;
  }
}
