package io.tidemark.flink.alert.match;

/**
 * What rows add to one minute of groups of a signal, or what figures of an open minute are now.
 * Travels between operators.
 *
 * @param signal key of the signal: its organisation, its environment and its identity
 * @param minutesKept minutes whose totals its number is made of
 * @param days before that its number is compared with; 0 for none: then no hours are kept
 * @param side of {@code SignalHistory}; {@link #SEED} for a group that is there without rows
 * @param start of the minute
 * @param groups labels and totals of each group, as {@link PackedGroups} writes them
 * @param part key group of the live topic whose figures of an open minute these are, all of them;
 *     {@link #ROWS} for rows, which add up
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record SignalMinute(
    String signal, int minutesKept, int days, int side, long start, byte[] groups, int part) {

  /** A rule with one group has it from the start, so that silence is noticed. */
  public static final int SEED = -1;

  public static final int ROWS = -1;

  private static final char SEPARATOR = '\u0001';

  /** Everything of one signal of an environment, whatever rules look at it. */
  public static String key(String organizationId, String environmentId, String identity) {
    return organizationId + SEPARATOR + environmentId + SEPARATOR + identity;
  }

  /** The organisation of a key. */
  public static String organizationOf(String key) {
    return key.substring(0, key.indexOf(SEPARATOR));
  }

  /** The identity of the signal of a key. */
  public static String identityOf(String key) {
    return key.substring(key.lastIndexOf(SEPARATOR) + 1);
  }
}
