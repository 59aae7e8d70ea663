package io.tidemark.flink.model.alert;

/** Decides one minute of a group from the minute before and the minute's value. Pure. */
final class AlertStateMachine {

  private AlertStateMachine() {}

  /**
   * @param value NaN when there is none: such a minute neither counts in a row nor breaks it, until
   *     there are enough of them for no-data
   */
  static AlertStatus next(AlertRule rule, AlertStatus before, long minute, double value) {
    if (Double.isNaN(value)) {
      return withoutValue(rule, before, minute);
    }
    boolean holds = rule.comparison().holds(value, before.isOpen());
    if (before.isOpen()) {
      int recovering = holds ? 0 : before.recovering() + 1;
      boolean isOver = recovering >= Math.max(1, rule.recoverAfterMinutes());
      return isOver
          ? status(AlertState.NORMAL, before, minute, 0, 0, AlertStatus.NONE, value)
          : status(AlertState.FIRING, before, minute, 0, recovering, before.incidentSince(), value);
    }
    if (!holds) {
      return status(AlertState.NORMAL, before, minute, 0, 0, AlertStatus.NONE, value);
    }
    int holding = before.holding() + 1;
    return holding >= Math.max(1, rule.forMinutes())
        ? status(AlertState.FIRING, before, minute, 0, 0, minute, value)
        : status(AlertState.PENDING, before, minute, holding, 0, AlertStatus.NONE, value);
  }

  private static AlertStatus withoutValue(AlertRule rule, AlertStatus before, long minute) {
    int missing = Math.min(before.missing() + 1, AlertRule.MAX_MINUTES);
    boolean isNoData = missing >= rule.noDataAfterMinutes();
    AlertState state = isNoData ? AlertState.NO_DATA : before.alertState();
    boolean isSame = state == before.alertState();
    return new AlertStatus(
        state.ordinal(),
        isSame ? before.since() : minute,
        isNoData ? 0 : before.holding(),
        before.recovering(),
        missing,
        before.incidentSince(),
        before.incidentKey(),
        Double.NaN);
  }

  private static AlertStatus status(
      AlertState state,
      AlertStatus before,
      long minute,
      int holding,
      int recovering,
      long incidentSince,
      double value) {
    boolean isOpen = incidentSince != AlertStatus.NONE;
    return new AlertStatus(
        state.ordinal(),
        state == before.alertState() ? before.since() : minute,
        holding,
        recovering,
        0,
        incidentSince,
        isOpen ? (before.isOpen() ? before.incidentKey() : incidentSince) : AlertStatus.NONE,
        value);
  }
}
