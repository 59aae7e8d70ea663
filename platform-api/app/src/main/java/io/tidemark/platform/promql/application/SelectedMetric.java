package io.tidemark.platform.promql.application;

import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.promql.application.PrometheusNameIndex.IndexedName;
import io.tidemark.platform.promql.application.PrometheusNameIndex.Meaning;
import io.tidemark.platform.promql.domain.Window;
import io.tidemark.platform.promql.domain.WindowValue;
import java.time.Instant;
import java.util.List;

/**
 * The stored metric that a selector names, and the window over it.
 *
 * @param intervals in which the windows lie, the earliest first
 */
record SelectedMetric(Window window, IndexedName known, List<TimeInterval> intervals) {

  Instant start() {
    return intervals.get(0).start();
  }

  /** A counter is stored as what it grew by, a level as it was. */
  boolean isLevel() {
    return known.meaning() == Meaning.LEVEL;
  }

  /** Whether the value of a counter at a moment is asked for: what its last minute added. */
  boolean isLatestGrowth() {
    return window.value() == WindowValue.CURRENT && !isLevel();
  }
}
