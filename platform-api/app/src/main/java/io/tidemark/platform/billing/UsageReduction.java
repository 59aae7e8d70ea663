package io.tidemark.platform.billing;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What would be left of a month's usage, in percent. What is not named stays.
 *
 * @param points of points and bytes, by metric; none leave no series either
 * @param series of series and their rows, by metric, as when a label is dropped or split
 * @param storage of bytes in the stores, by level, as when rows are kept for another time
 * @param budgets most series of an hour, by environment
 */
public record UsageReduction(
    Map<String, Integer> points,
    Map<String, Integer> series,
    Map<String, Integer> storage,
    Map<String, Long> budgets) {

  private static final int ALL = 100;

  /** Meters of what is sent, and of what the pipeline makes of it. */
  private static final Set<String> SENT = Set.of("points", "bytes");

  private static final Set<String> OF_SERIES =
      Set.of(
          "active_series",
          "new_series",
          "rollup_rows_1m",
          "rollup_rows_1m_hc",
          "rollup_rows_1h",
          "rollup_rows_1d");

  public UsageReduction {
    points = Map.copyOf(points);
    series = Map.copyOf(series);
    storage = Map.copyOf(storage);
    budgets = Map.copyOf(budgets);
  }

  /** Metrics of which less would be left. */
  Set<String> metrics() {
    Set<String> metrics = new TreeSet<>();
    points.forEach((metric, percent) -> add(metrics, metric, percent));
    series.forEach((metric, percent) -> add(metrics, metric, percent));
    return metrics;
  }

  private static void add(Set<String> metrics, String metric, int percent) {
    if (percent < ALL) {
      metrics.add(metric);
    }
  }

  /** Units of a metric that would not be there. Who asked for a metric has asked. */
  BigDecimal lostOf(String metric, String meter, BigDecimal units) {
    int ofPoints = points.getOrDefault(metric, ALL);
    int kept =
        SENT.contains(meter)
            ? ofPoints
            : OF_SERIES.contains(meter)
                ? ofPoints == 0 ? 0 : series.getOrDefault(metric, ALL)
                : ALL;
    return lost(units, kept);
  }

  /** Byte-hours of a level that would not be there. */
  BigDecimal lostOfStore(String level, BigDecimal units) {
    return lost(units, storage.getOrDefault(level, ALL));
  }

  private static BigDecimal lost(BigDecimal units, int kept) {
    return units.multiply(BigDecimal.valueOf((long) ALL - kept)).divide(BigDecimal.valueOf(ALL));
  }
}
