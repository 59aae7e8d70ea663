package io.tidemark.platform.catalog;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was sent of a metric.
 *
 * @param type as sent last
 * @param unit as sent last; empty when the sender gave none
 * @param labels names of point attributes so far, sorted, at most {@link #MAX_LABELS}
 * @param labelsComplete false when there were more
 * @param firstSeen minute of the earliest point
 * @param lastSeen minute of the latest point, up to ten minutes behind
 */
public record MetricSighting(
    @Nullable MetricType type,
    String unit,
    List<String> labels,
    boolean labelsComplete,
    Instant firstSeen,
    Instant lastSeen) {

  static final int MAX_LABELS = 200;
}
