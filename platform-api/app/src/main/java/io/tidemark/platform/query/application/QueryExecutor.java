package io.tidemark.platform.query.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.GroupOrder;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricStore;
import io.tidemark.platform.metricstore.OpenMinuteCell;
import io.tidemark.platform.metricstore.OpenMinutes;
import io.tidemark.platform.metricstore.OpenMinutesState;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.StoreTierRanges;
import io.tidemark.platform.query.application.PhysicalPlanner.MetricScan;
import io.tidemark.platform.query.application.PhysicalPlanner.Plan;
import io.tidemark.platform.query.application.PhysicalPlanner.Step;
import io.tidemark.platform.query.domain.Aggregation.Computation;
import io.tidemark.platform.query.domain.Answer.ExplainedPart;
import io.tidemark.platform.query.domain.BucketMap;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.ResultMatrix;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what the computations of one query need and adds it up. */
final class QueryExecutor {

  /** A minute of a series. */
  private record SeriesMinute(long minute, @Nullable String series) {
    static SeriesMinute of(OpenMinuteCell cell) {
      return new SeriesMinute(cell.minute(), cell.series());
    }

    static SeriesMinute of(StoreRow row) {
      return new SeriesMinute(row.bucket().toEpochMilli(), row.series());
    }
  }

  private final MetricStore store;
  private final TenantId organization;
  private final MetricQuery query;
  private final List<Computation> computations;
  private final int maxRows;
  private final PhysicalPlanner plans;

  QueryExecutor(
      MetricStore store,
      TenantId organization,
      MetricQuery query,
      List<Computation> computations,
      int maxRows,
      StoreTierRanges ages) {
    this.store = store;
    this.organization = organization;
    this.query = query;
    this.computations = computations;
    this.maxRows = maxRows;
    this.plans = new PhysicalPlanner(organization, query, maxRows / 2, ages);
  }

  /** Decides what to read. */
  QueryExecutor plan(PipelineProgress progress, OpenMinutes openMinutes, Instant firstOpenMinute) {
    computations.forEach(
        computation -> plans.add(computation, progress, openMinutes, firstOpenMinute));
    return this;
  }

  /** How minutes that are not complete are answered. */
  OpenMinutesState open() {
    return plans.open();
  }

  /** Everything that is to be read, of all metrics. */
  List<ScanSpec> parts() {
    return plans.all().values().stream()
        .flatMap(plan -> plan.steps().stream())
        .map(Step::part)
        .toList();
  }

  /** The metrics that are asked for. */
  Set<String> metrics() {
    return computations.stream().map(Computation::metric).collect(Collectors.toSet());
  }

  /** About how many stored rows that are. */
  CostGuard.Cost estimate() {
    CostGuard.Cost cost = CostGuard.Cost.NOTHING;
    for (var entry : plans.all().entrySet()) {
      for (Step step : entry.getValue().steps()) {
        long rows = store.estimate(organization, question(entry.getKey(), step));
        cost = cost.plus(CostGuard.Cost.of(step.part().store(), rows));
      }
    }
    return cost;
  }

  List<ExplainedPart> explained() {
    List<ExplainedPart> explained = new ArrayList<>();
    for (var entry : plans.all().entrySet()) {
      for (Step step : entry.getValue().steps()) {
        StoreQuery question = question(entry.getKey(), step);
        explained.add(
            new ExplainedPart(
                entry.getKey().metric(),
                step.part(),
                store.pieces(organization, question),
                store.estimate(organization, question)));
      }
    }
    return explained;
  }

  private StoreQuery question(MetricScan reading, Step step) {
    return storeQuery(reading, step, Set.of(), Optional.empty(), Lane.INTERACTIVE);
  }

  /** Reads. */
  ResultMatrix collect(Optional<List<@Nullable String>> after, Lane lane) {
    ResultMatrix collected = new ResultMatrix(computations.size());
    Optional<MetricScan> spread =
        computations.stream()
            .filter(computation -> query.distributions() && computation.function().isQuantile())
            .findFirst()
            .map(MetricScan::of);
    read(after, lane)
        .forEach(
            (reading, groups) -> {
              if (spread.isPresent() && spread.get().equals(reading)) {
                groups.values().forEach(collected::putDistributions);
              }
              for (int i = 0; i < computations.size(); i++) {
                Computation computation = computations.get(i);
                if (reading.equals(MetricScan.of(computation))) {
                  int place = i;
                  groups.forEach(
                      (List<@Nullable String> labels, Map<Instant, AggregateState> buckets) ->
                          collected.put(labels, buckets, place, computation.function()));
                }
              }
            });
    return collected;
  }

  /** Reads figures for the only computation of the query. */
  Map<List<@Nullable String>, Map<Instant, AggregateState>> figures(Lane lane) {
    return read(Optional.empty(), lane).values().iterator().next();
  }

  /** What fits into memory together is asked for at once, so that no metric waits for another. */
  private Map<MetricScan, Map<List<@Nullable String>, Map<Instant, AggregateState>>> read(
      Optional<List<@Nullable String>> after, Lane lane) {
    List<Map.Entry<MetricScan, Plan>> all = List.copyOf(plans.all().entrySet());
    int together = readTogether();
    Map<MetricScan, Map<List<@Nullable String>, Map<Instant, AggregateState>>> figures =
        new LinkedHashMap<>();
    for (int from = 0; from < all.size(); from += together) {
      var some = all.subList(from, Math.min(all.size(), from + together));
      List<StoreQuery> queries = new ArrayList<>();
      some.forEach(one -> queries.addAll(queries(one.getKey(), one.getValue(), after, lane)));
      Iterator<List<StoreRow>> answers = store.runAll(organization, queries).iterator();
      some.forEach(
          one ->
              figures.put(one.getKey(), sum(one.getKey(), rows(one.getValue(), after, answers))));
    }
    return figures;
  }

  /** Of how many metrics all rows are surely no more than one answer is made of. */
  private int readTogether() {
    boolean bySeries =
        plans.all().values().stream()
            .flatMap(plan -> plan.steps().stream())
            .anyMatch(step -> step.shape() instanceof Shape.BySeries);
    if (bySeries || query.order().isPresent()) {
      return 1;
    }
    long buckets = query.intervals().stream().mapToLong(query.granularity()::bucketsIn).sum();
    long ofOne = buckets * (query.groupBy().isEmpty() ? 1 : query.maxGroups() + 1L);
    return (int) Math.max(1, Math.min(plans.all().size(), maxRows / Math.max(1, ofOne)));
  }

  private Map<List<@Nullable String>, Map<Instant, AggregateState>> sum(
      MetricScan reading, List<StoreRow> rows) {
    Map<List<@Nullable String>, Map<Instant, AggregateState>> groups =
        new TreeMap<>(GroupOrder.GROUPS);
    Map<List<@Nullable String>, Map<Instant, Map<String, AggregateState>>> series = new HashMap<>();
    List<@Nullable String> group = null;
    Map<Instant, AggregateState> ofGroup = Map.of();
    for (StoreRow row : rows) {
      Instant bucket = query.bucketOf(row.bucket());
      if (!Objects.requireNonNull(row.series()).isEmpty() && reading.timeFunction().isPresent()) {
        series
            .computeIfAbsent(row.labels(), ignored -> new HashMap<>())
            .computeIfAbsent(bucket, ignored -> new HashMap<>())
            .merge(row.series(), row.figures(), QueryExecutor::sum);
        continue;
      }
      // Rows of a group come one after the other.
      if (row.labels() != group) {
        group = row.labels();
        ofGroup = groups.computeIfAbsent(group, ignored -> new BucketMap<>());
      }
      ofGroup.merge(bucket, row.figures(), QueryExecutor::sum);
    }
    series.forEach(
        (labels, buckets) ->
            buckets.forEach(
                (bucket, each) ->
                    each.values()
                        .forEach(
                            figures -> {
                              double value = figures.value(reading.timeFunction().orElseThrow());
                              if (Double.isFinite(value)) {
                                groups
                                    .computeIfAbsent(labels, ignored -> new BucketMap<>())
                                    .merge(bucket, AggregateState.of(value), QueryExecutor::sum);
                              }
                            })));
    return groups;
  }

  private List<StoreQuery> queries(
      MetricScan reading, Plan plan, Optional<List<@Nullable String>> after, Lane lane) {
    Set<AggregateColumn> outer = EnumSet.noneOf(AggregateColumn.class);
    computations.stream()
        .filter(computation -> reading.equals(MetricScan.of(computation)))
        .forEach(computation -> outer.addAll(AggregateColumn.of(computation.function())));
    List<StoreQuery> queries = new ArrayList<>();
    for (Step step : plan.steps()) {
      boolean bySeries =
          step.shape() instanceof Shape.BySeries && reading.timeFunction().isPresent();
      Set<AggregateColumn> figures =
          bySeries ? AggregateColumn.of(reading.timeFunction().get()) : EnumSet.copyOf(outer);
      if (step.isOpen()) {
        figures.add(AggregateColumn.COUNT);
      }
      queries.add(storeQuery(reading, step, figures, after, lane));
    }
    return queries;
  }

  /**
   * Rows of the store, and in the place of some of them what is shown of open minutes. A cell and
   * the rows of its series and minute only grow, so whichever has counted more points is newer:
   * rows are behind while Druid reads them, a cell is behind when late points or a restarted job
   * brought rows that it was not sent again for.
   */
  private List<StoreRow> rows(
      Plan plan, Optional<List<@Nullable String>> after, Iterator<List<StoreRow>> answers) {
    Map<SeriesMinute, List<StoreRow>> committed = new HashMap<>();
    plan.cells().forEach(cell -> committed.put(SeriesMinute.of(cell), new ArrayList<>()));
    List<StoreRow> rows = new ArrayList<>();
    int read = 0;
    for (Step step : plan.steps()) {
      for (StoreRow row : answers.next()) {
        List<StoreRow> beside = step.isOpen() ? committed.get(SeriesMinute.of(row)) : null;
        (beside == null ? rows : beside).add(row);
        read++;
      }
      if (read > maxRows) {
        throw tooLarge();
      }
    }
    for (OpenMinuteCell cell : plan.cells()) {
      List<StoreRow> beside = Objects.requireNonNull(committed.get(SeriesMinute.of(cell)));
      long counted = beside.stream().mapToLong(row -> row.figures().count).sum();
      if (!beside.isEmpty() && counted >= cell.figures().count) {
        rows.addAll(beside);
        continue;
      }
      List<@Nullable String> labels = new ArrayList<>();
      query.groupBy().forEach(key -> labels.add(cell.labels().get(key.value())));
      if (after.isEmpty() || GroupOrder.GROUPS.compare(labels, after.get()) > 0) {
        rows.add(
            new StoreRow(
                Instant.ofEpochMilli(cell.minute()), labels, cell.series(), cell.figures()));
      }
    }
    if (rows.size() > maxRows) {
      throw tooLarge();
    }
    return rows;
  }

  private static AggregateState sum(AggregateState one, AggregateState other) {
    one.add(other);
    return one;
  }

  private StoreQuery storeQuery(
      MetricScan reading,
      Step step,
      Set<AggregateColumn> figures,
      Optional<List<@Nullable String>> after,
      Lane lane) {
    // One group more says whether there is another page. Ordering by value needs all of them, where
    // the store cannot do it; one more than may be is refused.
    Optional<AggregateColumn> largestFirst = largestFirst(reading, step);
    int groups =
        query.groupBy().isEmpty()
            ? 1
            : query.order().isPresent() && largestFirst.isEmpty()
                ? maxRows + 1
                : query.maxGroups() + 1;
    return new StoreQuery(
        Optional.of(reading.metric()),
        query.filter(),
        step.isOpen() ? Granularity.PT1M : query.granularity(),
        query.groupBy(),
        step.part(),
        figures,
        step.shape(),
        groups,
        after,
        lane,
        largestFirst);
  }

  /** What the store can order groups by: a figure that is the value, and is all of it. */
  private Optional<AggregateColumn> largestFirst(MetricScan reading, Step step) {
    if (query.order().isEmpty()
        || !query.order().get().descending()
        || query.groupBy().isEmpty()
        || computations.size() > 1
        || !plans.isWhole(reading, step)) {
      return Optional.empty();
    }
    return switch (computations.get(0).function()) {
      case SUM -> Optional.of(AggregateColumn.SUM);
      case MIN -> Optional.of(AggregateColumn.MIN);
      case MAX -> Optional.of(AggregateColumn.MAX);
      case COUNT -> Optional.of(AggregateColumn.COUNT);
      case AVG, LAST, P50, P75, P90, P95, P99 -> Optional.empty();
    };
  }

  private ProblemException tooLarge() {
    return ProblemException.of(
        ErrorCode.RESULT_TOO_LARGE,
        "The answer is made of more than "
            + maxRows
            + " rows. Narrow the intervals, use a coarser granularity, fewer group_by labels or a"
            + " smaller limit.");
  }
}
