package io.tidemark.flink.model.alert;

import org.jspecify.annotations.Nullable;

/** Totals of a group, as far back as its signal needs them. */
public interface SignalHistory {

  /** What stands above the line of a ratio, and the only one of other signals. */
  int NUMERATOR = 0;

  int DENOMINATOR = 1;

  /** Totals of whole hours, for anomalies. */
  int HOURS = 2;

  /**
   * @param side one of the constants
   * @param start of the minute or hour, milliseconds since the Unix epoch
   * @return null when no row came
   */
  @Nullable MinuteTotals totals(int side, long start);
}
