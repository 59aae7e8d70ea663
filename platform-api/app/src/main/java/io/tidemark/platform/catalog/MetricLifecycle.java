package io.tidemark.platform.catalog;

import java.util.Locale;

/** Where a metric is in its life, as far as people said. */
public enum MetricLifecycle {
  ACTIVE,
  /** Still sent, not to be used for new things. */
  DEPRECATED,
  /** Not shown any more; its declaration is not in force. */
  RETIRED;

  /** The state as stored and shown, in lower case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The state of that name. */
  public static MetricLifecycle named(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
