package io.tidemark.platform.tenancy;

import java.util.Locale;

/** What the doors do with batches of an environment that exceeds a budget of series. */
public enum SeriesOverrunPolicy {
  /** They take them; the pipeline folds what is in excess. */
  FOLD,
  /** They refuse them for some time, and the pipeline folds what came before they knew. */
  REFUSE;

  /** As stored and shown, in lower case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one of that name. */
  public static SeriesOverrunPolicy named(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
