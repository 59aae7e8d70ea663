package io.tidemark.platform.alerting;

import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.tenancy.EnvironmentDeleted;
import java.util.List;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Removes rules and incidents of an environment that is deleted; the pipeline is told. */
@Component
class AlertDeletionListener {

  private final JdbcAlertRules rules;
  private final JdbcIncidents incidents;
  private final JdbcSilences silences;
  private final JdbcInhibitions inhibitions;
  private final JdbcAlertPacks packs;
  private final JdbcTransitions transitions;
  private final AlertRulePublisher pipeline;
  private final AuditLog audit;

  AlertDeletionListener(
      JdbcAlertRules rules,
      JdbcIncidents incidents,
      JdbcSilences silences,
      JdbcInhibitions inhibitions,
      JdbcAlertPacks packs,
      JdbcTransitions transitions,
      AlertRulePublisher pipeline,
      AuditLog audit) {
    this.rules = rules;
    this.incidents = incidents;
    this.silences = silences;
    this.inhibitions = inhibitions;
    this.packs = packs;
    this.transitions = transitions;
    this.pipeline = pipeline;
    this.audit = audit;
  }

  /** What was removed. */
  record Removed(long rules, long incidents) {}

  @EventListener
  void remove(EnvironmentDeleted deleted) {
    long removed = 0;
    List<AlertRule> page;
    do {
      page = rules.list(deleted.organization(), deleted.environment(), "", PageRequest.MAX);
      for (AlertRule rule : page) {
        pipeline.withdraw(deleted.organization(), rule);
        rules.delete(deleted.organization(), rule.id());
        removed++;
      }
    } while (!page.isEmpty());
    silences.eraseEnvironment(deleted.organization(), deleted.environment());
    inhibitions.eraseEnvironment(deleted.organization(), deleted.environment());
    transitions.eraseEnvironment(deleted.organization(), deleted.environment());
    packs.eraseEnvironment(deleted.organization(), deleted.environment());
    long erased = incidents.eraseEnvironment(deleted.organization(), deleted.environment());
    audit.done(
        deleted.organization(),
        deleted.actor(),
        "alerts.remove",
        "environment",
        deleted.environment().value(),
        null,
        new Removed(removed, erased));
  }
}
