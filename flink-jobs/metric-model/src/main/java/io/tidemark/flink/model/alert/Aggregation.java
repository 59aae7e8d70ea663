package io.tidemark.flink.model.alert;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How rows become one number. */
public enum Aggregation {
  SUM,
  COUNT,
  MIN,
  MAX,
  AVG,
  LAST,
  RATE;

  private static final double SECONDS_PER_MINUTE = 60;

  /** The aggregation of a contract's name; null when it is not known. */
  public static @Nullable Aggregation named(String wireName) {
    for (Aggregation aggregation : values()) {
      if (aggregation.name().toLowerCase(Locale.ROOT).equals(wireName)) {
        return aggregation;
      }
    }
    return null;
  }

  /**
   * @param totals of all rows of the window; null when there are none
   * @param minutes of the window
   * @return NaN when there is no value
   */
  double of(@Nullable MinuteTotals totals, int minutes) {
    if (totals == null || totals.isEmpty()) {
      return Double.NaN;
    }
    return switch (this) {
      case SUM -> totals.sum();
      case COUNT -> totals.count();
      case MIN -> totals.min();
      case MAX -> totals.max();
      case AVG -> totals.count() == 0 ? Double.NaN : totals.sum() / totals.count();
      case LAST -> totals.last();
      case RATE -> totals.sum() / (minutes * SECONDS_PER_MINUTE);
    };
  }

  /** Whether the number grows with the length of the window. */
  boolean growsWithTime() {
    return this == SUM || this == COUNT;
  }

  /** Whether the number of a minute that is not over is only a part of what it will be. */
  boolean growsWithinMinute() {
    return growsWithTime() || this == RATE;
  }
}
