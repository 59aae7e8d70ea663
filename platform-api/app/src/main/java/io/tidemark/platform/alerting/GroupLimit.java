package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.util.Locale;

/**
 * Bounds the groups that the rules of an environment look at: each is decided once a minute,
 * whether or not anything becomes of it.
 */
final class GroupLimit {

  static final long MAX_GROUPS = 200_000;

  private GroupLimit() {}

  /**
   * Refuses a rule more. Those that are there go on.
   *
   * @param groups that the rules of the environment have, as far as the alert job has said
   * @throws ProblemException {@code conflict}
   */
  static void check(long groups) {
    if (groups >= MAX_GROUPS) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          String.format(
              Locale.ROOT,
              "The alert rules of the environment look at %,d groups, and %,d are the most: delete"
                  + " or disable a rule, or have one look at fewer with matchers or group_by."
                  + " groups_seen of each rule says how many it has.",
              groups,
              MAX_GROUPS));
    }
  }
}
