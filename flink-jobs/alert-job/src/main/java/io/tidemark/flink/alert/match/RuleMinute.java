package io.tidemark.flink.alert.match;

import io.tidemark.flink.model.alert.MinuteTotals;

/**
 * What rows add to one minute of one group of a rule, or what figures of an open minute are now.
 * Travels between operators.
 *
 * @param rule key of the rule's control record
 * @param signal identity of what the rule looks at
 * @param labels of the group
 * @param side of {@code SignalHistory}; {@link #SEED} for a group that is there without rows
 * @param start of the minute, or of the hour
 * @param part key group of the live topic whose figures of an open minute these are, all of them;
 *     {@link #ROWS} for rows, which add up
 */
public record RuleMinute(
    String rule,
    String signal,
    String labels,
    int side,
    long start,
    MinuteTotals totals,
    int part) {

  /** A rule with one group has it from the start, so that silence is noticed. */
  public static final int SEED = -1;

  public static final int ROWS = -1;

  private static final char SEPARATOR = '\u0001';

  /** Everything of one group of one signal of a rule. */
  public String groupKey() {
    return rule + SEPARATOR + signal + SEPARATOR + labels;
  }

  /** The signal of a group key. */
  public static String signalOf(String groupKey) {
    int from = groupKey.indexOf(SEPARATOR) + 1;
    return groupKey.substring(from, groupKey.indexOf(SEPARATOR, from));
  }

  /** The labels of a group key. */
  public static String labelsOf(String groupKey) {
    int from = groupKey.indexOf(SEPARATOR) + 1;
    return groupKey.substring(groupKey.indexOf(SEPARATOR, from) + 1);
  }

  /** The rule of a group key. */
  public static String ruleOf(String groupKey) {
    return groupKey.substring(0, groupKey.indexOf(SEPARATOR));
  }
}
