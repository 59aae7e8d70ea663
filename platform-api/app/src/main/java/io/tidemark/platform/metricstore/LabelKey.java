package io.tidemark.platform.metricstore;

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

  /** The environment that a series was sent to; queries filter by it and do not group by it. */
  public static final LabelKey ENVIRONMENT = new LabelKey("environment.id");

  public LabelKey {
    if (!isWellFormed(value) && !value.equals("environment.id")) {
      throw new IllegalArgumentException(
          "A label key is metric.<label> or resource.<type>.<label>");
    }
  }

  /** Name of the column of the store. */
  public String column() {
    return value.equals("environment.id") ? "environment_id" : value;
  }
}
