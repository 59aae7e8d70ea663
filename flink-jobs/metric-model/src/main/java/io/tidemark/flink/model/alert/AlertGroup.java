package io.tidemark.flink.model.alert;

/**
 * What a rule knows of one group, beside its totals and decisions. State of jobs.
 *
 * @param signal {@link AlertSignal#identity} of what it looks at
 * @param labels names and values of the group, as {@link GroupLabels} writes them
 * @param decidedUntil start of the first minute that is not decided
 * @param dirtyFrom start of the first decided minute that rows came for; {@link #CLEAN} for none
 * @param lastData start of the latest minute with rows
 * @param sequence of the last transition
 * @param told ordinal of the state that the last transition told
 * @param status of the last decided minute
 */
public record AlertGroup(
    String signal,
    String labels,
    long decidedUntil,
    long dirtyFrom,
    long lastData,
    long sequence,
    int told,
    AlertStatus status) {

  public static final long CLEAN = Long.MAX_VALUE;

  /**
   * A group that was not known.
   *
   * @param from start of the first minute to decide
   * @param data start of the minute with rows
   */
  public static AlertGroup begin(String signal, String labels, long from, long data) {
    return new AlertGroup(
        signal,
        labels,
        from,
        CLEAN,
        data,
        0,
        AlertState.NORMAL.ordinal(),
        AlertStatus.beginning(from));
  }

  /**
   * A group that is normal since a minute and has told nothing else.
   *
   * @param value of its last decided minute
   */
  public static AlertGroup quiet(
      String signal,
      String labels,
      long decidedUntil,
      long lastData,
      long sequence,
      long since,
      double value) {
    return new AlertGroup(
        signal,
        labels,
        decidedUntil,
        CLEAN,
        lastData,
        sequence,
        AlertState.NORMAL.ordinal(),
        AlertStatus.normal(since, value));
  }

  /** Whether it is what {@link #quiet} gives. */
  public boolean isQuiet() {
    return dirtyFrom == CLEAN && told == AlertState.NORMAL.ordinal() && status.isQuiet();
  }

  /**
   * The same with what is known of its rows by now.
   *
   * @param dirty start of the first decided minute that rows came for
   */
  public AlertGroup withRows(long data, long dirty) {
    long from = Math.min(dirtyFrom, dirty);
    return data == lastData && from == dirtyFrom
        ? this
        : new AlertGroup(signal, labels, decidedUntil, from, data, sequence, told, status);
  }

  /** Rows came for a minute; returns itself when that changes nothing. */
  public AlertGroup withData(long minute) {
    boolean isDecided = minute < decidedUntil && minute < dirtyFrom;
    if (!isDecided && minute <= lastData) {
      return this;
    }
    return new AlertGroup(
        signal,
        labels,
        decidedUntil,
        isDecided ? minute : dirtyFrom,
        Math.max(lastData, minute),
        sequence,
        told,
        status);
  }

  AlertGroup decided(long until, AlertStatus newStatus) {
    return new AlertGroup(signal, labels, until, CLEAN, lastData, sequence, told, newStatus);
  }

  AlertGroup told(long newSequence, AlertState state) {
    return new AlertGroup(
        signal, labels, decidedUntil, dirtyFrom, lastData, newSequence, state.ordinal(), status);
  }

  AlertState toldState() {
    return AlertState.values()[told];
  }

  /** Identifier of the group under a rule. */
  String id(AlertRule rule) {
    return Digest.hex(rule.key(), signal, labels);
  }

  /**
   * Identifier of an incident of a group: what an open minute raises is the incident that the
   * complete minute begins.
   */
  static String incidentId(String groupId, long incidentKey) {
    return Digest.hex("incident", groupId, Long.toString(incidentKey));
  }
}
