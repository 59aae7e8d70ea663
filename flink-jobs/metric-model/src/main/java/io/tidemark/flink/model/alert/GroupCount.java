package io.tidemark.flink.model.alert;

/**
 * How far one part of the job has decided a rule. Travels between operators, and is state.
 *
 * @param rule key of the rule's control record
 * @param version of the rule; {@link #GONE} when there is no rule any more
 * @param part number of the part
 * @param decidedUntil start of the first minute that is not decided
 * @param groups that the part decided in the minute before it
 * @param behind whether rows of the organisation are behind those of others
 */
public record GroupCount(
    String rule, long version, int part, long decidedUntil, int groups, boolean behind) {

  private static final long GONE = 0;

  /** The rule is deleted or not enabled. */
  public static GroupCount gone(String rule) {
    return new GroupCount(rule, GONE, 0, 0, 0, false);
  }

  public boolean isGone() {
    return version == GONE;
  }
}
