package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An alert from the minute that fired to the minute that is normal again.
 *
 * @param number place in lists, the newest greatest
 * @param state open, resolved or retracted
 * @param endedAt null while it is open, like every time of what has not happened
 * @param isTold whether somebody was told that it is open
 * @param suppressedBy the silence or inhibition for which nobody is told of it now, or was when it
 *     ended; null without one
 * @param isEarly whether an open minute raised it and no complete one has confirmed it
 */
public record Incident(
    String id,
    EnvironmentId environment,
    long number,
    String ruleId,
    String ruleName,
    String severity,
    String state,
    String alertState,
    Map<String, String> group,
    Map<String, String> labels,
    Map<String, String> annotations,
    @Nullable String runbookUrl,
    Instant startedAt,
    @Nullable Instant endedAt,
    Instant openedAt,
    @Nullable Double value,
    Double threshold,
    @Nullable String acknowledgedBy,
    @Nullable Instant acknowledgedAt,
    @Nullable String assignedTo,
    boolean isTold,
    @Nullable String suppressedBy,
    boolean isEarly,
    long version) {

  public boolean isOpen() {
    return state.equals("open");
  }

  boolean isSuppressed() {
    return suppressedBy != null;
  }

  /** The same after a decision; a null value leaves the value as it is. */
  Incident decided(
      String newState,
      String newAlertState,
      Instant newStart,
      @Nullable Instant newEnd,
      @Nullable Double newValue) {
    return changed(
        newState, newAlertState, newStart, newEnd, newValue == null ? value : newValue, isEarly);
  }

  /** The same open again, with state, start and value of the incident that begins. */
  Incident reopened(Incident begun) {
    return changed(
        begun.state, begun.alertState, begun.startedAt, null, begun.value, begun.isEarly);
  }

  private Incident changed(
      String newState,
      String newAlertState,
      Instant newStart,
      @Nullable Instant newEnd,
      @Nullable Double newValue,
      boolean nowEarly) {
    return new Incident(
        id,
        environment,
        number,
        ruleId,
        ruleName,
        severity,
        newState,
        newAlertState,
        group,
        labels,
        annotations,
        runbookUrl,
        newStart,
        newEnd,
        openedAt,
        newValue,
        threshold,
        acknowledgedBy,
        acknowledgedAt,
        assignedTo,
        isTold,
        suppressedBy,
        nowEarly,
        version + 1);
  }

  /** The same version; whether somebody was told that it is open, and what suppresses it now. */
  Incident announced(boolean nowTold, @Nullable String nowSuppressedBy) {
    return new Incident(
        id,
        environment,
        number,
        ruleId,
        ruleName,
        severity,
        state,
        alertState,
        group,
        labels,
        annotations,
        runbookUrl,
        startedAt,
        endedAt,
        openedAt,
        value,
        threshold,
        acknowledgedBy,
        acknowledgedAt,
        assignedTo,
        nowTold,
        nowSuppressedBy,
        isEarly,
        version);
  }
}
