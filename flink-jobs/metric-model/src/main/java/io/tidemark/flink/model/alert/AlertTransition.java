package io.tidemark.flink.model.alert;

/**
 * What became of a group's alert.
 *
 * @param transitionId follows from rule, group, sequence and minute
 * @param incidentId empty when it belongs to no incident
 * @param minute start of the minute that decided, milliseconds since the Unix epoch
 * @param since start of the first minute of the state, or of the incident
 * @param until start of the first minute after the incident; 0 while it is open
 * @param value NaN without one
 * @param completeUntil how far rows were complete
 * @param reason one English sentence, or empty
 */
public record AlertTransition(
    String transitionId,
    String organizationId,
    String environmentId,
    String ruleId,
    long ruleVersion,
    String groupId,
    String group,
    long sequence,
    Kind kind,
    AlertState state,
    AlertState previousState,
    String incidentId,
    long minute,
    long since,
    long until,
    double value,
    double threshold,
    String severity,
    long completeUntil,
    boolean early,
    boolean revised,
    boolean released,
    String reason) {

  /** What happened. */
  public enum Kind {
    CHANGED,
    FIRED,
    RESOLVED,
    CORRECTED,
    RETRACTED
  }
}
