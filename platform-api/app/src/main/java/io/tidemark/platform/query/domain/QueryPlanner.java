package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.query.domain.MetricQuery.ValueOrder;
import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.query.domain.QueryDraft.OrderDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns a draft into a plan, or says everything that is wrong with it at once. One instance plans
 * one draft.
 */
public final class QueryPlanner {

  private static final int MAX_AGGREGATIONS = 10;
  private static final int MAX_LABELS = 20;
  private static final int MAX_INTERVALS = 50;
  private static final int MAX_LIMIT = 1000;
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_NAME = 255;

  private final List<String> faults = new ArrayList<>();

  private QueryPlanner() {}

  /** What planning came to. */
  public sealed interface Plan {

    /** The draft is right. */
    record Ready(MetricQuery query) implements Plan {}

    /** The draft breaks rules of the language; one sentence each. */
    record Invalid(List<String> faults) implements Plan {}
  }

  /** Plans a draft; {@code now} in intervals means the given time. */
  public static Plan plan(QueryDraft draft, Instant now) {
    return new QueryPlanner().planned(draft, now);
  }

  private Plan planned(QueryDraft draft, Instant now) {
    List<Aggregation> aggregations = aggregations(draft.aggregations());
    Optional<LabelFilter> filter = new FilterPlanner(faults).filter(draft.filter());
    if (draft.granularity() == null) {
      faults.add("granularity is required, for example PT1M.");
    }
    List<LabelKey> groupBy = groupBy(draft.groupBy());
    List<TimeInterval> intervals = intervals(draft.intervals(), draft.granularity(), now);
    int limit = limit(draft);
    Optional<ValueOrder> order = order(draft, aggregations);
    boolean grouped = "GROUPED".equals(draft.format());
    if (grouped && draft.groupBy().isEmpty()) {
      faults.add("format GROUPED needs group_by; use FLAT.");
    }
    if (draft.distributions()) {
      checkDistributions(draft, aggregations);
    }
    if (!faults.isEmpty()) {
      return new Plan.Invalid(List.copyOf(faults));
    }
    return new Plan.Ready(
        new MetricQuery(
            aggregations,
            filter,
            Objects.requireNonNull(draft.granularity()),
            groupBy,
            IntervalSet.of(intervals).intervals(),
            limit,
            order,
            grouped,
            draft.bucketStates(),
            draft.explain(),
            draft.distributions()));
  }

  private void checkDistributions(QueryDraft draft, List<Aggregation> aggregations) {
    if (aggregations.stream().noneMatch(Aggregation::isQuantile)) {
      faults.add("distributions needs agg P50, P75, P90, P95 or P99 in one of aggregations.");
    }
    if (!draft.groupBy().isEmpty()) {
      faults.add("distributions cannot be combined with group_by; leave one of them out.");
    }
  }

  private List<Aggregation> aggregations(List<@Nullable AggregationDraft> drafts) {
    if (drafts.isEmpty() || drafts.size() > MAX_AGGREGATIONS) {
      faults.add("aggregations needs 1 to " + MAX_AGGREGATIONS + " items.");
      return List.of();
    }
    List<Aggregation> aggregations = new ArrayList<>();
    for (int i = 0; i < drafts.size(); i++) {
      aggregation(drafts.get(i), "aggregations[" + i + "]").ifPresent(aggregations::add);
    }
    return aggregations;
  }

  private Optional<Aggregation> aggregation(@Nullable AggregationDraft draft, String path) {
    if (draft == null || draft.metric() == null || draft.metric().isBlank()) {
      faults.add(path + ".metric is required.");
      return Optional.empty();
    }
    if (draft.metric().length() > MAX_NAME) {
      faults.add(path + ".metric has more than " + MAX_NAME + " characters.");
    }
    if (draft.timeFunction() != null && draft.function() != null) {
      if (draft.function().isQuantile() || draft.function() == AggregationFunction.LAST) {
        faults.add(
            path
                + ".time_agg cannot be combined with agg "
                + draft.function()
                + "; use SUM, MIN, MAX, AVG or COUNT.");
      }
    }
    return Optional.of(
        new Aggregation(
            draft.metric(),
            Optional.ofNullable(draft.function()),
            Optional.ofNullable(draft.timeFunction())));
  }

  private List<LabelKey> groupBy(List<String> texts) {
    if (texts.size() > MAX_LABELS) {
      faults.add("group_by has more than " + MAX_LABELS + " labels.");
      return List.of();
    }
    List<LabelKey> keys = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < texts.size(); i++) {
      String text = Objects.requireNonNullElse(texts.get(i), "");
      if (!LabelKey.isWellFormed(text)) {
        faults.add("group_by[" + i + "] must be metric.<label> or resource.<type>.<label>.");
      } else if (!seen.add(text)) {
        faults.add("group_by[" + i + "] repeats " + text + ".");
      } else {
        keys.add(new LabelKey(text));
      }
    }
    return keys;
  }

  private List<TimeInterval> intervals(
      List<String> texts, @Nullable Granularity granularity, Instant now) {
    if (texts.isEmpty() || texts.size() > MAX_INTERVALS) {
      faults.add("intervals needs 1 to " + MAX_INTERVALS + " intervals.");
      return List.of();
    }
    TimeIntervalParser parser = new TimeIntervalParser(now);
    List<TimeInterval> intervals = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      try {
        TimeInterval interval = parser.parse(Objects.requireNonNullElse(texts.get(i), ""));
        intervals.add(interval);
        checkLength("intervals[" + i + "]", texts.get(i), interval, granularity);
      } catch (IllegalArgumentException fault) {
        faults.add("intervals[" + i + "]: " + fault.getMessage());
      }
    }
    return intervals;
  }

  private void checkLength(
      String path, String text, TimeInterval interval, @Nullable Granularity granularity) {
    Optional<Duration> max = granularity == null ? Optional.empty() : granularity.maxInterval();
    if (max.isPresent() && interval.length().compareTo(max.get()) > 0) {
      faults.add(
          path
              + ": The interval '"
              + text
              + "' is longer than "
              + max.get()
              + ", the most for granularity "
              + granularity
              + "; shorten it or use a coarser granularity.");
    }
  }

  private int limit(QueryDraft draft) {
    if (draft.limit() == null) {
      return draft.granularity() == Granularity.ALL ? MAX_LIMIT : DEFAULT_LIMIT;
    }
    if (draft.limit() < 1 || draft.limit() > MAX_LIMIT) {
      faults.add("limit must be 1 to " + MAX_LIMIT + ".");
    }
    return draft.limit();
  }

  private Optional<ValueOrder> order(QueryDraft draft, List<Aggregation> aggregations) {
    if (draft.orderBy().isEmpty()) {
      return Optional.empty();
    }
    if (draft.orderBy().size() > 1) {
      faults.add("order_by has at most one item.");
      return Optional.empty();
    }
    if (draft.granularity() != null && draft.granularity() != Granularity.ALL) {
      faults.add("order_by needs granularity ALL.");
      return Optional.empty();
    }
    OrderDraft order = draft.orderBy().get(0);
    for (int i = 0; order != null && i < aggregations.size(); i++) {
      Aggregation candidate = aggregations.get(i);
      boolean isFunction =
          order.function() == null
              || candidate.function().isEmpty()
              || candidate.function().get() == order.function();
      if (candidate.metric().equals(order.metric()) && isFunction) {
        return Optional.of(new ValueOrder(i, order.descending()));
      }
    }
    faults.add("order_by[0] must name the metric and agg of one of aggregations.");
    return Optional.empty();
  }
}
