package io.tidemark.platform.query.domain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A checked plan: it can be run as it is.
 *
 * @param groupBy labels that make groups; empty for one group of everything
 * @param intervals at least one
 * @param greatestGroups greatest number of groups in the answer
 */
public record MetricQuery(
    String metric,
    AggregationFunction function,
    Optional<LabelFilter> filter,
    Granularity granularity,
    List<LabelKey> groupBy,
    List<TimeInterval> intervals,
    int greatestGroups) {

  public MetricQuery {
    groupBy = List.copyOf(groupBy);
    intervals = List.copyOf(intervals);
  }

  /** Start of the earliest interval: the time of the one bucket of granularity ALL. */
  public Instant earliest() {
    return intervals.stream().map(TimeInterval::start).min(Instant::compareTo).orElseThrow();
  }

  /** No group can have more buckets than this. */
  public long greatestBucketsOfGroup() {
    return granularity == Granularity.ALL
        ? 1
        : intervals.stream().mapToLong(granularity::bucketsIn).sum();
  }
}
