package io.tidemark.platform.query.domain;

import java.util.regex.Pattern;

/**
 * A label as queries name it, {@code metric.<label>} or {@code resource.<type>.<label>}. Only these
 * columns of the store can be named, so that a query can never reach the column of the tenant.
 */
public record LabelKey(String value) {

  private static final Pattern FORM = Pattern.compile("(metric|resource)\\.[^\\p{Cntrl}]{1,255}");

  /** Whether the text is a label key. */
  public static boolean isWellFormed(String text) {
    return FORM.matcher(text).matches();
  }

  public LabelKey {
    if (!isWellFormed(value)) {
      throw new IllegalArgumentException(
          "A label key is metric.<label> or resource.<type>.<label>");
    }
  }
}
