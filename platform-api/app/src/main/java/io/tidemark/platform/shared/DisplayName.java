package io.tidemark.platform.shared;

import java.util.List;

/** The rule for names that people give to things. */
public final class DisplayName {

  private static final int MAX = 100;

  private DisplayName() {}

  /**
   * Adds what is wrong with the name, which also may not be absent.
   *
   * @param field what the request calls it
   */
  public static void check(String field, String name, List<String> faults) {
    if (name == null
        || name.isBlank()
        || name.codePointCount(0, name.length()) > MAX
        || name.codePoints().anyMatch(Character::isISOControl)) {
      faults.add(field + " must be 1 to " + MAX + " characters, no control characters.");
    }
  }
}
