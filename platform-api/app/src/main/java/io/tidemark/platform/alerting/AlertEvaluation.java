package io.tidemark.platform.alerting;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a rule can be decided, and what is known of its groups. Pure.
 *
 * @param completeUntil null while the pipeline has not said
 * @param decidedUntil null while the alert job has not said
 * @param groupsSeen groups that it decided in the last minute; null while it has not said
 * @param reason why it is blind, or why nothing is decided; null when neither is
 * @param groups their number by state
 * @param lastTransition start of the latest minute in which one changed; null without one
 */
public record AlertEvaluation(
    @Nullable Instant completeUntil,
    @Nullable Duration behind,
    @Nullable Instant decidedUntil,
    @Nullable Long groupsSeen,
    boolean isBlind,
    @Nullable String reason,
    Map<String, Long> groups,
    @Nullable Instant lastTransition) {

  /**
   * Rows are complete about a minute after they were sent; this long says that something stands.
   */
  static final Duration BLIND_AFTER = Duration.ofMinutes(5);

  /** What is known of groups. */
  record Groups(Map<String, Long> byState, @Nullable Instant lastTransition) {}

  public AlertEvaluation {
    groups = new TreeMap<>(groups);
  }

  /**
   * Whether no row concerns the rule: its metric or a label is misspelt, or nobody sends it. That
   * is silence, and no health.
   */
  public boolean isWithoutRows() {
    return reason != null && !isBlind;
  }

  /** What the alert job says of the rule. */
  record Decided(boolean isKnown, Optional<RuleEvaluation> evaluation, Instant effectiveFrom) {}

  static AlertEvaluation of(
      Optional<Instant> completeUntil, Decided decided, Groups groups, Instant now) {
    Duration behind = completeUntil.map(until -> Duration.between(until, now)).orElse(null);
    String blind = blind(completeUntil, decided, now);
    return new AlertEvaluation(
        completeUntil.orElse(null),
        behind == null || !behind.isNegative() ? behind : Duration.ZERO,
        decided.evaluation().map(RuleEvaluation::decidedUntil).orElse(null),
        decided.evaluation().map(RuleEvaluation::groups).orElse(null),
        blind != null,
        blind != null ? blind : withoutRows(decided, now),
        groups.byState(),
        groups.lastTransition());
  }

  private static @Nullable String withoutRows(Decided decided, Instant now) {
    boolean isNew = decided.effectiveFrom().isAfter(now.minus(BLIND_AFTER));
    boolean isSeen = decided.evaluation().map(RuleEvaluation::groups).orElse(1L) > 0;
    return isNew || isSeen
        ? null
        : "No row came that condition.metric and condition.matchers fit, so nothing is decided."
            + " Compare them with what is sent.";
  }

  private static @Nullable String blind(
      Optional<Instant> completeUntil, Decided decided, Instant now) {
    if (completeUntil.isEmpty()) {
      return "The pipeline has not said yet how far rows are complete.";
    }
    Instant tooOld = now.minus(BLIND_AFTER);
    if (completeUntil.get().isBefore(tooOld)) {
      return "Rows are complete until "
          + completeUntil.get()
          + " only; the pipeline stands or is behind.";
    }
    if (!decided.isKnown()) {
      return null;
    }
    if (decided.evaluation().isEmpty()) {
      return decided.effectiveFrom().isBefore(tooOld)
          ? "The alert job has not said that it decides this rule; it stands, or has not read it."
          : null;
    }
    RuleEvaluation evaluation = decided.evaluation().get();
    if (!evaluation.decidedUntil().isBefore(tooOld) || decided.effectiveFrom().isAfter(tooOld)) {
      return null;
    }
    return evaluation.behind()
        ? "Rows of the organisation are behind those of others; minutes until "
            + evaluation.decidedUntil()
            + " are decided."
        : "The alert job has decided minutes until "
            + evaluation.decidedUntil()
            + " only; it stands or is behind.";
  }
}
