package io.tidemark.platform.catalog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Kinds of metrics, as rollup rows name them. */
public enum MetricType {
  GAUGE,
  COUNTER,
  UPDOWN_COUNTER,
  HISTOGRAM,
  EXPONENTIAL_HISTOGRAM,
  SUMMARY;

  /** The kind as stored and shown, in lower_snake_case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of that name; null for null. */
  public static @Nullable MetricType named(@Nullable String wireName) {
    return wireName == null ? null : valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
