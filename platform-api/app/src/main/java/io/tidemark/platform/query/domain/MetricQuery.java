package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.TimeInterval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A checked plan: it can be run as it is.
 *
 * @param aggregations at least one
 * @param groupBy labels that make groups; empty for one group of everything
 * @param intervals at least one, ascending, apart from each other
 * @param maxGroups maximum number of groups in the answer
 * @param order of groups by value; empty for the order of labels
 * @param grouped whether points are listed by group
 * @param bucketStates whether each value says the state of its bucket
 * @param explain whether the answer says how it was made
 * @param distributions whether each value says how its observations are spread; without groupBy
 */
public record MetricQuery(
    List<Aggregation> aggregations,
    Optional<LabelFilter> filter,
    Granularity granularity,
    List<LabelKey> groupBy,
    List<TimeInterval> intervals,
    int maxGroups,
    Optional<ValueOrder> order,
    boolean grouped,
    boolean bucketStates,
    boolean explain,
    boolean distributions) {

  /** Orders groups by one of the aggregations, by place. */
  public record ValueOrder(int aggregation, boolean descending) {}

  /** A query for values alone. */
  public MetricQuery(
      List<Aggregation> aggregations,
      Optional<LabelFilter> filter,
      Granularity granularity,
      List<LabelKey> groupBy,
      List<TimeInterval> intervals,
      int maxGroups,
      Optional<ValueOrder> order,
      boolean grouped,
      boolean bucketStates,
      boolean explain) {
    this(
        aggregations,
        filter,
        granularity,
        groupBy,
        intervals,
        maxGroups,
        order,
        grouped,
        bucketStates,
        explain,
        false);
  }

  public MetricQuery {
    aggregations = List.copyOf(aggregations);
    groupBy = List.copyOf(groupBy);
    intervals = List.copyOf(intervals);
  }

  /** The query restricted to the environments of the scope. */
  public MetricQuery within(QueryScope scope) {
    return scope.environments().isEmpty()
        ? this
        : and(new LabelFilter.In(LabelKey.ENVIRONMENT, scope.environments()));
  }

  /** The same for series for which this holds too. */
  public MetricQuery and(LabelFilter more) {
    return new MetricQuery(
        aggregations,
        Optional.of(
            filter.<LabelFilter>map(own -> new LabelFilter.Every(List.of(more, own))).orElse(more)),
        granularity,
        groupBy,
        intervals,
        maxGroups,
        order,
        grouped,
        bucketStates,
        explain,
        distributions);
  }

  /** Start of the earliest interval: the time of the one bucket of granularity ALL. */
  public Instant earliest() {
    return intervals.get(0).start();
  }

  /** End of the last interval. */
  public Instant latest() {
    return intervals.get(intervals.size() - 1).end();
  }

  /** Labels that group or filter. */
  public Set<LabelKey> labels() {
    Set<LabelKey> labels = new LinkedHashSet<>(groupBy);
    filter.ifPresent(present -> present.collect(labels));
    return labels;
  }

  /** The minutes that start in the intervals. */
  public IntervalSet minutes() {
    List<TimeInterval> whole = new ArrayList<>();
    for (TimeInterval interval : intervals) {
      long from = IntervalSet.up(interval.start().toEpochMilli(), Level.MINUTE.width());
      long to = IntervalSet.up(interval.end().toEpochMilli(), Level.MINUTE.width());
      if (from < to) {
        whole.add(new TimeInterval(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to)));
      }
    }
    return IntervalSet.of(whole);
  }

  /** The name of the bucket that a time lies in. */
  public Instant bucketOf(Instant time) {
    return granularity.width().isEmpty()
        ? earliest()
        : Instant.ofEpochMilli(
            IntervalSet.down(time.toEpochMilli(), granularity.width().get().toMillis()));
  }

  /** End of a bucket, exclusive. */
  public Instant endOf(Instant bucket) {
    return granularity.width().isEmpty() ? latest() : bucket.plus(granularity.width().get());
  }
}
