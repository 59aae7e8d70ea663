package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Says how far the rules of an environment are decided, and what came of it. */
@Component
public class AlertProgress {

  private final TenantTransactions transactions;
  private final JdbcAlertRules rules;
  private final JdbcTransitions rows;
  private final RuleEvaluations evaluations;
  private final Clock clock;

  AlertProgress(
      TenantTransactions transactions,
      JdbcAlertRules rules,
      JdbcTransitions rows,
      RuleEvaluations evaluations,
      Clock clock) {
    this.transactions = transactions;
    this.rules = rules;
    this.rows = rows;
    this.evaluations = evaluations;
    this.clock = clock;
  }

  /**
   * How far an environment is decided.
   *
   * @param isKnown whether everything that the alert job has said is read
   * @param rules that are enabled
   * @param silent of these, rules of which the job should have said something and has not
   * @param until of the rule that is decided least; null when that of none is known
   */
  public record Decided(boolean isKnown, int rules, int silent, @Nullable Instant until) {

    /**
     * From what is known of each rule.
     *
     * @param rules when each came into force
     * @param until how far a rule is decided; empty while the job has not said
     */
    static Decided of(
        boolean isKnown,
        Map<String, Instant> rules,
        Function<String, Optional<Instant>> until,
        Instant now) {
      Instant due = now.minus(AlertEvaluation.BLIND_AFTER);
      int silent = 0;
      Instant least = null;
      for (Map.Entry<String, Instant> rule : rules.entrySet()) {
        Optional<Instant> decided = until.apply(rule.getKey());
        if (decided.isEmpty()) {
          silent += rule.getValue().isBefore(due) ? 1 : 0;
        } else if (least == null || decided.get().isBefore(least)) {
          least = decided.get();
        }
      }
      return new Decided(isKnown, rules.size(), silent, least);
    }
  }

  /** How far all enabled rules of an environment are decided. */
  public Decided decided(TenantId organization, EnvironmentId environment) {
    return Decided.of(
        evaluations.isKnown(),
        transactions.within(organization, () -> rules.enabled(organization, environment)),
        rule -> evaluations.of(organization, environment, rule).map(RuleEvaluation::decidedUntil),
        clock.instant());
  }

  /** Transitions by start of the minute in which they were recorded. */
  public SortedMap<Instant, Long> transitionsByMinute(
      TenantId organization, EnvironmentId environment, Instant from, Instant to) {
    return transactions.within(
        organization, () -> rows.byMinute(organization, environment, from, to));
  }
}
