package io.tidemark.platform.metricstore.recent;

import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.GroupOrder;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers one question from series in memory. Which groups are wanted is decided by series, before
 * any minute is added up. Mutable.
 */
final class RecentGroups {

  private record Meant(RecentSeries series, long shownFrom) {}

  private final StoreQuery query;
  private final VisibleRows.From shown;
  private final int maxResult;
  private final List<IntervalSet.Span> spans;
  private final boolean withDistributions;
  private final long width;
  private final long first;
  private final TreeMap<List<@Nullable String>, List<Meant>> groups =
      new TreeMap<>(GroupOrder.GROUPS);
  private Instant[] times = new Instant[16];

  /**
   * No series yet.
   *
   * @param maxResult maximum number of rows of an answer
   */
  RecentGroups(StoreQuery query, VisibleRows.From shown, int maxResult) {
    this.query = query;
    this.shown = shown;
    this.maxResult = maxResult;
    this.spans = query.part().spans().list();
    this.withDistributions =
        query.figures().contains(AggregateColumn.DISTRIBUTION)
            && !(query.shape() instanceof Shape.SeriesFirst);
    this.width = query.granularity().width().map(each -> each.toMillis()).orElse(0L);
    this.first =
        width == 0 ? spans.get(0).from() : Math.floorDiv(spans.get(0).from(), width) * width;
  }

  /** Notes a series of the organisation, when the question is about it. */
  void take(String metric, RecentSeries series) {
    ScanSpec part = query.part();
    if (!part.environments().isEmpty()
        && part.environments().contains(series.environment()) == part.except()) {
      return;
    }
    if (query.filter().isPresent() && !query.filter().get().matches(series.labels())) {
      return;
    }
    long shownFrom = shown.of(series.environment(), metric);
    if (!hasMinutes(series, shownFrom)) {
      return;
    }
    @Nullable String[] labels = new String[query.groupBy().size()];
    for (int i = 0; i < labels.length; i++) {
      LabelKey key = query.groupBy().get(i);
      labels[i] = series.labels().get(key.value());
    }
    List<@Nullable String> group =
        Collections.<@Nullable String>unmodifiableList(Arrays.<@Nullable String>asList(labels));
    if (query.after().isPresent() && GroupOrder.GROUPS.compare(group, query.after().get()) <= 0) {
      return;
    }
    groups.computeIfAbsent(group, ignored -> new ArrayList<>()).add(new Meant(series, shownFrom));
    // Ordered by value, any group may be among the first.
    if (groups.size() > query.maxGroups() && query.largestFirst().isEmpty()) {
      groups.pollLastEntry();
    }
  }

  private boolean hasMinutes(RecentSeries series, long shownFrom) {
    for (IntervalSet.Span span : spans) {
      int place = series.place(Math.max(span.from(), shownFrom));
      if (place < series.size() && series.minute(place) < span.to()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The answer, in the order that the query names.
   *
   * @throws ProblemException {@code result_too_large}
   */
  List<StoreRow> rows() {
    List<StoreRow> rows = new ArrayList<>();
    groups.forEach(
        (List<@Nullable String> labels, List<Meant> series) -> answer(labels, series, rows));
    if (query.largestFirst().isEmpty()) {
      return rows;
    }
    // A group has one row where groups are ordered; those without a value come last.
    AggregateColumn figure = query.largestFirst().get();
    rows.sort(Comparator.comparingDouble(row -> -value(row.figures(), figure)));
    return rows.subList(0, Math.min(rows.size(), query.maxGroups()));
  }

  private static double value(AggregateState figures, AggregateColumn figure) {
    return switch (figure) {
      case SUM -> figures.sum;
      case COUNT -> figures.count;
      case MIN -> figures.min;
      case MAX -> figures.max;
      case LAST, DISTRIBUTION ->
          throw new IllegalArgumentException("No order of groups: " + figure);
    };
  }

  private void answer(List<@Nullable String> labels, List<Meant> meant, List<StoreRow> rows) {
    List<AggregateState> all = new ArrayList<>();
    for (Meant each : meant) {
      if (query.shape() instanceof Shape.Flat) {
        add(each, all);
        continue;
      }
      List<AggregateState> own = new ArrayList<>();
      add(each, own);
      if (query.shape() instanceof Shape.SeriesFirst first) {
        combine(own, first, all);
      } else {
        add(labels, each.series().id(), own, rows);
      }
    }
    add(labels, "", all, rows);
  }

  private static void combine(
      List<AggregateState> series, Shape.SeriesFirst first, List<AggregateState> all) {
    for (int bucket = 0; bucket < series.size(); bucket++) {
      if (series.get(bucket) != null) {
        double value = series.get(bucket).value(first.function());
        AggregateState figures = at(all, bucket);
        if (Double.isFinite(value)) {
          figures.add(AggregateState.of(value));
        }
      }
    }
  }

  /** Adds the minutes of a series to their buckets. */
  private void add(Meant meant, List<AggregateState> buckets) {
    RecentSeries series = meant.series();
    for (IntervalSet.Span span : spans) {
      int place = series.place(Math.max(span.from(), meant.shownFrom()));
      for (; place < series.size() && series.minute(place) < span.to(); place++) {
        int bucket = width == 0 ? 0 : (int) ((series.minute(place) - first) / width);
        series.addTo(place, at(buckets, bucket), withDistributions);
      }
    }
  }

  private static AggregateState at(List<AggregateState> buckets, int place) {
    while (buckets.size() <= place) {
      buckets.add(null);
    }
    AggregateState figures = buckets.get(place);
    if (figures == null) {
      figures = new AggregateState();
      buckets.set(place, figures);
    }
    return figures;
  }

  private void add(
      List<@Nullable String> labels,
      String series,
      List<AggregateState> buckets,
      List<StoreRow> rows) {
    for (int bucket = 0; bucket < buckets.size(); bucket++) {
      if (buckets.get(bucket) != null) {
        if (rows.size() == maxResult && query.largestFirst().isEmpty()) {
          throw tooLarge();
        }
        rows.add(new StoreRow(time(bucket), labels, series, buckets.get(bucket)));
      }
    }
  }

  /** Groups have the same buckets, mostly. */
  private Instant time(int bucket) {
    if (bucket >= times.length) {
      times = Arrays.copyOf(times, Math.max(bucket + 1, 2 * times.length));
    }
    if (times[bucket] == null) {
      times[bucket] = Instant.ofEpochMilli(first + bucket * width);
    }
    return times[bucket];
  }

  private ProblemException tooLarge() {
    return ProblemException.of(
        ErrorCode.RESULT_TOO_LARGE,
        "The answer is made of more than "
            + maxResult
            + " rows. Narrow the intervals, use a coarser granularity, fewer group_by labels or a"
            + " smaller limit.");
  }
}
