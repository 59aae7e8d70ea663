package io.tidemark.flink.model.alert;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What number of a group's rows is compared. */
public enum SignalKind {
  THRESHOLD,
  CHANGE,
  ABSENCE,
  RATIO,
  QUANTILE,
  ANOMALY,
  FORECAST;

  /** The kind of a contract's name; null when it is not known. */
  public static @Nullable SignalKind named(String wireName) {
    for (SignalKind kind : values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(wireName)) {
        return kind;
      }
    }
    return null;
  }
}
