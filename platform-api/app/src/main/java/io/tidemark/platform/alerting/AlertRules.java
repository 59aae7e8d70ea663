package io.tidemark.platform.alerting;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.completeness.PipelineProgress;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Alert rules as people make and see them. */
@Service
public class AlertRules {

  static final int MAX_RULES = 2_000;
  private static final String TYPE = "alert_rule";

  private final TenantTransactions transactions;
  private final Environments environments;
  private final JdbcAlertRules rows;
  private final AlertRulePublisher pipeline;
  private final Incidents incidents;
  private final PipelineProgress progress;
  private final RuleEvaluations evaluations;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final IdentifierSource identifiers;
  private final Clock clock;

  AlertRules(
      TenantTransactions transactions,
      Environments environments,
      JdbcAlertRules rows,
      AlertRulePublisher pipeline,
      Incidents incidents,
      PipelineProgress progress,
      RuleEvaluations evaluations,
      IdempotentCreation creation,
      AuditLog audit,
      IdentifierSource identifiers,
      Clock clock) {
    this.transactions = transactions;
    this.environments = environments;
    this.rows = rows;
    this.pipeline = pipeline;
    this.incidents = incidents;
    this.progress = progress;
    this.evaluations = evaluations;
    this.creation = creation;
    this.audit = audit;
    this.identifiers = identifiers;
    this.clock = clock;
  }

  /** Rules of an environment by identifier; {@code not_found}. */
  public Page<AlertRule> list(TenantId organization, String environment, PageRequest page) {
    EnvironmentId place = environments.get(organization, environment).id();
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(organization, place, page.after(), page.limit() + 1),
                page,
                AlertRule::id));
  }

  /** A rule of the environment; {@code not_found}. */
  public AlertRule get(TenantId organization, String environment, String id) {
    return transactions
        .within(organization, () -> rows.find(organization, id))
        .filter(rule -> rule.environment().value().equals(environment))
        .orElseThrow(AlertRules::unknown);
  }

  /** States of the rule's groups, at most 100, those that are not normal first. */
  public List<AlertGroup> groups(TenantId organization, String id) {
    return transactions.within(organization, () -> rows.groups(organization, id));
  }

  /** Groups of all rules of the environment that are pending or firing, 10,000 at most. */
  public List<AlertGroup> active(TenantId organization, String environment) {
    EnvironmentId place = environments.get(organization, environment).id();
    return transactions.within(organization, () -> rows.active(organization, place));
  }

  /** How far the rules of the organisation can be decided. */
  public AlertEvaluation evaluation(TenantId organization) {
    return AlertEvaluation.of(
        progress.completeUntil(organization),
        new AlertEvaluation.Decided(false, Optional.empty(), clock.instant()),
        new AlertEvaluation.Groups(Map.of(), null),
        clock.instant());
  }

  /** How far the rule can be decided; empty when it is not enabled. */
  public Optional<AlertEvaluation> evaluation(TenantId organization, AlertRule rule) {
    if (!rule.definition().enabled()) {
      return Optional.empty();
    }
    AlertEvaluation.Groups groups =
        transactions.within(organization, () -> rows.groupsByState(organization, rule.id()));
    return Optional.of(
        AlertEvaluation.of(
            progress.completeUntil(organization),
            new AlertEvaluation.Decided(
                evaluations.isKnown(),
                evaluations.of(organization, rule.environment(), rule.id()),
                rule.effectiveFrom()),
            groups,
            clock.instant()));
  }

  /**
   * Makes a rule, once for an idempotency key.
   *
   * @throws ProblemException {@code invalid_request}, {@code not_found}, {@code conflict}; see also
   *     {@link IdempotentCreation}
   */
  public Created<AlertRule> create(
      TenantId organization,
      Actor actor,
      String environment,
      @Nullable String idempotencyKey,
      AlertRuleDefinition definition) {
    EnvironmentId place = environments.get(organization, environment).id();
    check(definition);
    return creation.once(
        organization,
        "alert_rule.create " + environment,
        idempotencyKey,
        definition.toString(),
        new Creation<>(
            () -> make(organization, actor, place, definition),
            AlertRule::id,
            id -> get(organization, environment, id)));
  }

  private AlertRule make(
      TenantId organization,
      Actor actor,
      EnvironmentId environment,
      AlertRuleDefinition definition) {
    if (definition.enabled()) {
      GroupLimit.check(evaluations.groups(organization, environment));
    }
    AlertRule rule = add(organization, environment, definition);
    audit.done(organization, actor, "alert_rule.create", TYPE, rule.id(), null, definition);
    return rule;
  }

  /** Makes a rule in the running transaction. */
  AlertRule add(TenantId organization, EnvironmentId environment, AlertRuleDefinition definition) {
    if (rows.count(organization, environment) >= MAX_RULES) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The environment has " + MAX_RULES + " alert rules, which is the most; delete one.");
    }
    Instant now = now();
    AlertRule rule =
        new AlertRule(
            "rule-" + identifiers.next(),
            environment,
            definition,
            1,
            effectiveFrom(now),
            effectiveFrom(now),
            now,
            now);
    rows.insert(organization, rule);
    tell(organization, rule);
    return rule;
  }

  /** Replaces the definition of a rule that the running transaction holds. */
  AlertRule replace(TenantId organization, AlertRule before, AlertRuleDefinition definition) {
    Instant now = now();
    AlertRule after =
        new AlertRule(
            before.id(),
            before.environment(),
            definition,
            before.version() + 1,
            effectiveFrom(now),
            before.definition().enabled() ? before.enabledFrom() : effectiveFrom(now),
            before.createdAt(),
            now);
    rows.update(organization, after);
    tell(organization, after);
    return after;
  }

  /** Removes a rule that the running transaction holds, and resolves its incidents. */
  void remove(TenantId organization, AlertRule rule, String why) {
    incidents.end(organization, rule, Actor.system("alert-packs"), why);
    pipeline.withdraw(organization, rule);
    rows.delete(organization, rule.id());
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** Replaces the definition; open incidents stay open, unless the rule is not enabled any more. */
  public AlertRule change(
      TenantId organization,
      Actor actor,
      String environment,
      String id,
      ExpectedVersion expected,
      AlertRuleDefinition definition) {
    environments.get(organization, environment);
    return transactions.within(
        organization,
        () -> {
          AlertRule before = locked(organization, environment, id);
          check(definition);
          expected.check(before.version());
          if (definition.equals(before.definition())) {
            return before;
          }
          if (definition.enabled() && !before.definition().enabled()) {
            GroupLimit.check(evaluations.groups(organization, before.environment()));
          }
          AlertRule after = replace(organization, before, definition);
          if (!definition.enabled()) {
            incidents.end(organization, after, actor, "The rule is not enabled any more.");
            rows.removeGroups(organization, id);
          }
          audit.done(
              organization, actor, "alert_rule.change", TYPE, id, before.definition(), definition);
          return after;
        });
  }

  /** Deletes the rule and resolves its incidents. */
  public void delete(
      TenantId organization, Actor actor, String environment, String id, ExpectedVersion expected) {
    transactions.run(
        organization,
        () -> {
          AlertRule before = locked(organization, environment, id);
          expected.check(before.version());
          incidents.end(organization, before, actor, "The rule was deleted.");
          pipeline.withdraw(organization, before);
          rows.delete(organization, id);
          audit.done(organization, actor, "alert_rule.delete", TYPE, id, before.definition(), null);
        });
  }

  private void tell(TenantId organization, AlertRule rule) {
    if (rule.definition().enabled()) {
      pipeline.publish(organization, rule);
    } else {
      pipeline.withdraw(organization, rule);
    }
  }

  /** Rows of a minute are committed after its end, so every reader knows the rule by then. */
  private static Instant effectiveFrom(Instant now) {
    return now.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
  }

  private AlertRule locked(TenantId organization, String environment, String id) {
    return rows.lock(organization, id)
        .filter(rule -> rule.environment().value().equals(environment))
        .orElseThrow(AlertRules::unknown);
  }

  private static void check(AlertRuleDefinition definition) {
    ProblemException.refuse(definition.faults());
  }

  private static ProblemException unknown() {
    return ProblemException.of(ErrorCode.NOT_FOUND, "There is no such alert rule.");
  }
}
