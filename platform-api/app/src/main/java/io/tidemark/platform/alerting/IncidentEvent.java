package io.tidemark.platform.alerting;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A line of an incident's timeline.
 *
 * @param kind fired, changed, corrected, resolved, retracted, acknowledged, commented, assigned or
 *     unsuppressed
 * @param detail what there is to say of it
 */
public record IncidentEvent(Instant at, String kind, Detail detail) {

  /** Everything but the kind may be null. */
  public record Detail(
      @Nullable String transitionId,
      @Nullable String state,
      @Nullable Instant minute,
      @Nullable Double value,
      @Nullable Instant completeUntil,
      @Nullable Long ruleVersion,
      @Nullable String actor,
      @Nullable String text,
      @Nullable String suppressedBy) {

    static Detail of(AlertTransition transition) {
      return new Detail(
          transition.id(),
          transition.state(),
          transition.minute(),
          transition.value(),
          transition.completeUntil(),
          transition.ruleVersion(),
          null,
          transition.reason().isEmpty() ? null : transition.reason(),
          null);
    }

    /** The same with another text. */
    Detail saying(String words) {
      return new Detail(
          transitionId,
          state,
          minute,
          value,
          completeUntil,
          ruleVersion,
          actor,
          words,
          suppressedBy);
    }

    static Detail by(@Nullable String actor, @Nullable String text) {
      return new Detail(null, null, null, null, null, null, actor, text, null);
    }
  }

  /**
   * The same, of which nobody was told.
   *
   * @param suppressor null when somebody was
   */
  IncidentEvent suppressedBy(@Nullable String suppressor) {
    return new IncidentEvent(
        at,
        kind,
        new Detail(
            detail.transitionId,
            detail.state,
            detail.minute,
            detail.value,
            detail.completeUntil,
            detail.ruleVersion,
            detail.actor,
            detail.text,
            suppressor));
  }
}
