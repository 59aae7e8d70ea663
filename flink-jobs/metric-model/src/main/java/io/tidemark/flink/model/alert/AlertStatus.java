package io.tidemark.flink.model.alert;

/**
 * What was decided of a group in one minute, and what the next minute must know of it. State of
 * jobs.
 *
 * @param state ordinal of {@link AlertState}
 * @param since start of the first minute of the state
 * @param holding minutes in a row that the comparison held
 * @param recovering minutes in a row that it did not while an incident is open
 * @param missing minutes in a row without a value
 * @param incidentSince start of the minute that fired; {@link #NONE} when no incident is open
 * @param incidentKey names the incident; stays when the incident's beginning is corrected
 * @param value NaN without one
 */
public record AlertStatus(
    int state,
    long since,
    int holding,
    int recovering,
    int missing,
    long incidentSince,
    long incidentKey,
    double value) {

  public static final long NONE = Long.MIN_VALUE;

  /** Before the first minute. */
  static AlertStatus beginning(long minute) {
    return normal(minute, Double.NaN);
  }

  /** Normal, and nothing else: no minutes are counted and no incident is open. */
  public static AlertStatus normal(long since, double value) {
    return new AlertStatus(AlertState.NORMAL.ordinal(), since, 0, 0, 0, NONE, NONE, value);
  }

  /** Whether it is what {@link #normal} gives. */
  public boolean isQuiet() {
    return state == AlertState.NORMAL.ordinal()
        && holding == 0
        && recovering == 0
        && missing == 0
        && incidentSince == NONE
        && incidentKey == NONE;
  }

  AlertState alertState() {
    return AlertState.values()[state];
  }

  boolean isOpen() {
    return incidentSince != NONE;
  }

  /** The same incident under another name. */
  AlertStatus named(long key) {
    return new AlertStatus(state, since, holding, recovering, missing, incidentSince, key, value);
  }
}
