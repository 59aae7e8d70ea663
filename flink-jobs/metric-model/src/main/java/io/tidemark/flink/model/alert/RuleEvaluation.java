package io.tidemark.flink.model.alert;

import java.util.Collection;

/**
 * How far a rule is decided, and of how many groups.
 *
 * @param rule key of the rule's control record
 * @param version newest one that is known; 0 when there is no rule any more
 * @param decidedUntil start of the first minute that is not decided
 */
public record RuleEvaluation(
    String rule, long version, long decidedUntil, long groups, boolean behind) {

  /** A part that says nothing for longer has no group of the rule any more, or is no part. */
  private static final long FRESH_MS = 2 * MinuteTotals.MINUTE_MS;

  public static RuleEvaluation gone(String rule) {
    return new RuleEvaluation(rule, 0, 0, 0, false);
  }

  public boolean isGone() {
    return version == 0;
  }

  /** Whether what a part said belongs to no evaluation any more. */
  public static boolean isStale(GroupCount count, long newest) {
    return newest - count.decidedUntil() > FRESH_MS;
  }

  /**
   * What the parts say together.
   *
   * @param parts one or more of one rule; stale ones do not count
   */
  public static RuleEvaluation of(String rule, Collection<GroupCount> parts) {
    long newest = parts.stream().mapToLong(GroupCount::decidedUntil).max().orElse(Long.MIN_VALUE);
    long version = 1;
    long decidedUntil = newest;
    long groups = 0;
    boolean isBehind = false;
    for (GroupCount part : parts) {
      if (!isStale(part, newest)) {
        version = Math.max(version, part.version());
        decidedUntil = Math.min(decidedUntil, part.decidedUntil());
        groups += part.groups();
        isBehind |= part.behind();
      }
    }
    return new RuleEvaluation(rule, version, decidedUntil, groups, isBehind);
  }
}
