package io.tidemark.flink.model.alert;

/**
 * A usage record of evaluations before it is encoded.
 *
 * @param recordId 64 hexadecimal digits
 * @param hour what was evaluated and is in no earlier record
 * @param meteredAtUnixMs when it was made
 */
public record EvaluationUsage(String recordId, EvaluatedHour hour, long meteredAtUnixMs) {

  /**
   * The record of a part of an hour.
   *
   * @param part of the subject: no two records within a day have the same
   * @param eventTime of the record; a part that comes again later has another
   */
  public static EvaluationUsage of(
      EvaluatedHour hour, long part, long eventTime, long meteredAtUnixMs) {
    return new EvaluationUsage(
        Digest.longHex(
            "evaluations",
            hour.rule(),
            hour.metric(),
            Long.toString(hour.hourUnixMs()),
            Long.toString(part),
            Long.toString(eventTime)),
        hour,
        meteredAtUnixMs);
  }
}
