package io.tidemark.flink.model.alert;

/**
 * Minutes of groups that a rule decided, of one hour of minutes. Travels between operators, and is
 * state.
 *
 * @param rule key of the rule's control record
 * @param metric that the rule looks at
 * @param hourUnixMs start of the hour that the decided minutes are in
 * @param evaluations each minute of each group once
 */
public record EvaluatedHour(String rule, String metric, long hourUnixMs, long evaluations) {

  private static final long HOUR_MS = 60 * MinuteTotals.MINUTE_MS;

  /** One minute of one group. */
  public static EvaluatedHour ofMinute(String rule, String metric, long minute) {
    return new EvaluatedHour(rule, metric, Math.floorDiv(minute, HOUR_MS) * HOUR_MS, 1);
  }

  /** What is added up together: a rule that changes its metric is billed by both. */
  public String subject() {
    return rule + "/" + metric;
  }

  /** The hour that it is about; counts of the same one add up. */
  public EvaluatedHour withoutCount() {
    return new EvaluatedHour(rule, metric, hourUnixMs, 0);
  }

  /** The same hour with another count. */
  public EvaluatedHour with(long count) {
    return new EvaluatedHour(rule, metric, hourUnixMs, count);
  }
}
