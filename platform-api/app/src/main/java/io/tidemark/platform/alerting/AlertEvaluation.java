package io.tidemark.platform.alerting;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How far a rule can be decided, and what is known of its groups. Pure.
 *
 * @param completeUntil null while the pipeline has not said
 * @param reason why it is blind; null when it is not
 * @param groups their number by state
 * @param lastTransition start of the latest minute in which one changed; null without one
 */
public record AlertEvaluation(
    Instant completeUntil,
    Duration behind,
    String reason,
    Map<String, Long> groups,
    Instant lastTransition) {

  /**
   * Rows are complete about a minute after they were sent; this long says that something stands.
   */
  static final Duration BLIND_AFTER = Duration.ofMinutes(5);

  /** What is known of groups. */
  record Groups(Map<String, Long> byState, Instant lastTransition) {}

  public AlertEvaluation {
    groups = new TreeMap<>(groups);
  }

  public boolean isBlind() {
    return reason != null;
  }

  static AlertEvaluation of(Optional<Instant> completeUntil, Groups groups, Instant now) {
    if (completeUntil.isEmpty()) {
      return new AlertEvaluation(
          null,
          null,
          "The pipeline has not said yet how far rows are complete.",
          groups.byState(),
          groups.lastTransition());
    }
    Duration behind = Duration.between(completeUntil.get(), now);
    return new AlertEvaluation(
        completeUntil.get(),
        behind.isNegative() ? Duration.ZERO : behind,
        behind.compareTo(BLIND_AFTER) > 0
            ? "Rows are complete until "
                + completeUntil.get()
                + " only; the pipeline stands or is"
                + " behind."
            : null,
        groups.byState(),
        groups.lastTransition());
  }
}
