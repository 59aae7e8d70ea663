package io.tidemark.flink.model.alert;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.model.alert.AlertTransition.Kind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Raises incidents from minutes that are not complete, and takes back those that complete minutes
 * do not begin. Decisions of complete minutes know nothing of it: an early incident is confirmed by
 * the transition that fires it, under the same identifier.
 *
 * <p>An open minute begins incidents and does nothing else: that a value is missing, or normal
 * again, is known when the minute is complete.
 */
public final class EarlyAlertEvaluator {

  /** With more minutes to decide rows are behind, and what an open one means is not known. */
  static final long MAX_OPEN_MS = 10 * MINUTE_MS;

  private static final String OPEN = "The minute is not complete yet.";
  private static final String NORMAL = "The complete minute shows that it did not happen.";
  private static final String EARLIER = "The incident began in a minute before.";

  private final Consumer<AlertTransition> out;

  public EarlyAlertEvaluator(Consumer<AlertTransition> out) {
    this.out = out;
  }

  /**
   * Decides the minutes that are not complete, as if they were, until one fires.
   *
   * @param group as it was decided; a beginning of one that has no complete minute
   * @param history figures of open minutes, and before them totals of rows
   * @param newest start of the last minute with figures
   * @param completeUntil how far rows of the organisation are complete
   * @return what was raised; null for nothing
   */
  public @Nullable EarlyAlert raise(
      AlertGroup group, RuleVersions rule, SignalHistory history, long newest, long completeUntil) {
    AlertStatus status = group.status();
    if (status.isOpen() || newest - group.decidedUntil() > MAX_OPEN_MS) {
      return null;
    }
    for (long minute = group.decidedUntil(); minute <= newest; minute += MINUTE_MS) {
      AlertRule deciding = rule.deciding(group.signal(), minute);
      if (deciding == null) {
        status = AlertStatus.beginning(minute + MINUTE_MS);
        continue;
      }
      double value = SignalEvaluator.value(deciding.signal(), history, minute, status.value());
      status = AlertStateMachine.next(deciding, status, minute, value);
      if (status.isOpen()) {
        if (!deciding.early()) {
          return null;
        }
        EarlyAlert raised = new EarlyAlert(group.signal(), group.labels(), minute);
        out.accept(fired(group, deciding, minute, value, completeUntil));
        return raised;
      }
    }
    return null;
  }

  /**
   * Compares what was raised with what was decided, and takes it back if no incident began there.
   *
   * @param group after its complete minutes were decided; null when it was never known, or was
   *     released by that
   * @param decided what was decided of the minute that raised; null when nothing was
   * @param completeUntil how far rows of the organisation are complete
   * @return whether it is settled; otherwise its minute is still open
   */
  public boolean settle(
      EarlyAlert raised,
      @Nullable AlertGroup group,
      RuleVersions rule,
      @Nullable AlertStatus decided,
      long completeUntil) {
    boolean isDecided = raised.minute() + MINUTE_MS <= completeUntil;
    boolean isIncidentBefore =
        group != null && group.decidedUntil() <= raised.minute() && group.status().isOpen();
    if (!isDecided && !isIncidentBefore) {
      return false;
    }
    boolean isConfirmed =
        isDecided
            && decided != null
            && decided.isOpen()
            && decided.incidentKey() == raised.minute();
    if (!isConfirmed) {
      boolean isEarlier = isIncidentBefore || (decided != null && decided.isOpen());
      out.accept(
          retracted(raised, group, rule.latest(), isEarlier ? EARLIER : NORMAL, completeUntil));
    }
    return true;
  }

  private static AlertTransition fired(
      AlertGroup group, AlertRule rule, long minute, double value, long completeUntil) {
    return transition(
        group, rule, Kind.FIRED, AlertState.FIRING, minute, value, completeUntil, OPEN);
  }

  private static AlertTransition retracted(
      EarlyAlert raised,
      @Nullable AlertGroup known,
      AlertRule rule,
      String reason,
      long completeUntil) {
    AlertGroup group =
        known == null
            ? AlertGroup.begin(raised.signal(), raised.labels(), raised.minute(), raised.minute())
            : known;
    return transition(
        group,
        rule,
        Kind.RETRACTED,
        group.toldState(),
        raised.minute(),
        Double.NaN,
        completeUntil,
        reason);
  }

  /** Counts in no sequence, so that those of complete minutes are the same with it and without. */
  private static AlertTransition transition(
      AlertGroup group,
      AlertRule rule,
      Kind kind,
      AlertState state,
      long minute,
      double value,
      long completeUntil,
      String reason) {
    String groupId = group.id(rule);
    return new AlertTransition(
        Digest.hex("early", groupId, kind.name(), Long.toString(minute)),
        rule.organizationId(),
        rule.environmentId(),
        rule.ruleId(),
        rule.version(),
        groupId,
        group.labels(),
        group.sequence(),
        kind,
        state,
        group.toldState(),
        AlertGroup.incidentId(groupId, minute),
        minute,
        minute,
        0,
        value,
        rule.comparison().threshold(),
        rule.severity(),
        completeUntil,
        true,
        false,
        false,
        reason);
  }
}
