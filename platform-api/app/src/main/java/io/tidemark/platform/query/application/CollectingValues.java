package io.tidemark.platform.query.application;

import io.tidemark.platform.query.application.ReadingPlans.Plan;
import io.tidemark.platform.query.application.ReadingPlans.Reading;
import io.tidemark.platform.query.application.ReadingPlans.Step;
import io.tidemark.platform.query.domain.Aggregation.Computation;
import io.tidemark.platform.query.domain.Answer.ExplainedPart;
import io.tidemark.platform.query.domain.Collected;
import io.tidemark.platform.query.domain.Figure;
import io.tidemark.platform.query.domain.Figures;
import io.tidemark.platform.query.domain.Granularity;
import io.tidemark.platform.query.domain.GroupOrder;
import io.tidemark.platform.query.domain.Lane;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.OpenCell;
import io.tidemark.platform.query.domain.OpenMinutesState;
import io.tidemark.platform.query.domain.Part;
import io.tidemark.platform.query.domain.StoreAges;
import io.tidemark.platform.query.domain.StoreQuery;
import io.tidemark.platform.query.domain.StoreQuery.Shape;
import io.tidemark.platform.query.domain.StoreRow;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads what the computations of one query need and adds it up. */
final class CollectingValues {

  /** A minute of a series. */
  private record Place(long minute, String series) {}

  private final RunQuery store;
  private final TenantId organization;
  private final MetricQuery query;
  private final List<Computation> computations;
  private final int greatestRows;
  private final ReadingPlans plans;

  CollectingValues(
      RunQuery store,
      TenantId organization,
      MetricQuery query,
      List<Computation> computations,
      int greatestRows,
      StoreAges ages) {
    this.store = store;
    this.organization = organization;
    this.query = query;
    this.computations = computations;
    this.greatestRows = greatestRows;
    this.plans = new ReadingPlans(organization, query, greatestRows / 2, ages);
  }

  /** Decides what to read. */
  CollectingValues plan(
      PipelineProgress progress, OpenMinutes openMinutes, Instant firstOpenMinute) {
    computations.forEach(
        computation -> plans.add(computation, progress, openMinutes, firstOpenMinute));
    return this;
  }

  /** How minutes that are not complete are answered. */
  OpenMinutesState open() {
    return plans.open();
  }

  /** Everything that is to be read, of all metrics. */
  List<Part> parts() {
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

  private StoreQuery question(Reading reading, Step step) {
    return storeQuery(reading, step, Set.of(), Optional.empty(), Lane.INTERACTIVE);
  }

  /** Reads. */
  Collected collect(Optional<List<String>> after, Lane lane) {
    Collected collected = new Collected(computations.size());
    for (var entry : plans.all().entrySet()) {
      Reading reading = entry.getKey();
      Map<List<String>, Map<Instant, Figures>> groups =
          read(reading, entry.getValue(), after, lane);
      for (int i = 0; i < computations.size(); i++) {
        Computation computation = computations.get(i);
        if (reading.equals(Reading.of(computation))) {
          int place = i;
          groups.forEach(
              (labels, buckets) ->
                  buckets.forEach(
                      (bucket, figures) ->
                          collected.put(
                              labels, bucket, place, figures.value(computation.function()))));
        }
      }
    }
    return collected;
  }

  /** Reads figures for the only computation of the query. */
  Map<List<String>, Map<Instant, Figures>> figures(Lane lane) {
    var only = plans.all().entrySet().iterator().next();
    return read(only.getKey(), only.getValue(), Optional.empty(), lane);
  }

  private Map<List<String>, Map<Instant, Figures>> read(
      Reading reading, Plan plan, Optional<List<String>> after, Lane lane) {
    Map<List<String>, Map<Instant, Figures>> groups = new TreeMap<>(GroupOrder.GROUPS);
    Map<List<String>, Map<Instant, Map<String, Figures>>> series = new HashMap<>();
    rows(reading, plan, after, lane)
        .forEach(
            row -> {
              Instant bucket = query.bucketOf(row.bucket());
              if (row.series().isEmpty() || reading.timeFunction().isEmpty()) {
                add(groups, row.labels(), bucket, row.figures());
              } else {
                series
                    .computeIfAbsent(row.labels(), ignored -> new HashMap<>())
                    .computeIfAbsent(bucket, ignored -> new HashMap<>())
                    .merge(row.series(), row.figures(), CollectingValues::sum);
              }
            });
    series.forEach(
        (labels, buckets) ->
            buckets.forEach(
                (bucket, each) ->
                    each.values()
                        .forEach(
                            figures -> {
                              double value = figures.value(reading.timeFunction().orElseThrow());
                              if (Double.isFinite(value)) {
                                add(groups, labels, bucket, Figures.of(value));
                              }
                            })));
    return groups;
  }

  /** Rows of the store, and in the place of some of them what is shown of open minutes. */
  private List<StoreRow> rows(Reading reading, Plan plan, Optional<List<String>> after, Lane lane) {
    Set<Figure> outer = EnumSet.noneOf(Figure.class);
    computations.stream()
        .filter(computation -> reading.equals(Reading.of(computation)))
        .forEach(computation -> outer.addAll(Figure.of(computation.function())));
    List<StoreRow> rows = new ArrayList<>();
    Set<Place> shown = new HashSet<>();
    for (OpenCell cell : plan.cells()) {
      shown.add(new Place(cell.minute(), cell.series()));
      List<String> labels = new ArrayList<>();
      query.groupBy().forEach(key -> labels.add(cell.labels().get(key.value())));
      if (after.isEmpty() || GroupOrder.GROUPS.compare(labels, after.get()) > 0) {
        rows.add(
            new StoreRow(
                Instant.ofEpochMilli(cell.minute()), labels, cell.series(), cell.figures()));
      }
    }
    List<StoreQuery> queries = new ArrayList<>();
    for (Step step : plan.steps()) {
      boolean bySeries =
          step.shape() instanceof Shape.BySeries && reading.timeFunction().isPresent();
      Set<Figure> figures = bySeries ? Figure.of(reading.timeFunction().get()) : outer;
      queries.add(storeQuery(reading, step, figures, after, lane));
    }
    List<List<StoreRow>> answers = store.runAll(organization, queries);
    for (int i = 0; i < answers.size(); i++) {
      boolean isOpen = plan.steps().get(i).isOpen();
      for (StoreRow row : answers.get(i)) {
        if (!isOpen || !shown.contains(new Place(row.bucket().toEpochMilli(), row.series()))) {
          rows.add(row);
        }
      }
      if (rows.size() > greatestRows) {
        throw tooLarge();
      }
    }
    return rows;
  }

  private static void add(
      Map<List<String>, Map<Instant, Figures>> groups,
      List<String> labels,
      Instant bucket,
      Figures figures) {
    groups
        .computeIfAbsent(labels, ignored -> new TreeMap<>())
        .merge(bucket, figures, CollectingValues::sum);
  }

  private static Figures sum(Figures one, Figures other) {
    one.add(other);
    return one;
  }

  private StoreQuery storeQuery(
      Reading reading, Step step, Set<Figure> figures, Optional<List<String>> after, Lane lane) {
    // One group more says whether there is another page; ordering by value needs all of them.
    int groups =
        query.groupBy().isEmpty()
            ? 1
            : query.order().isPresent() ? greatestRows : query.greatestGroups() + 1;
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
        lane);
  }

  private ProblemException tooLarge() {
    return ProblemException.of(
        ErrorCode.RESULT_TOO_LARGE,
        "The answer is made of more than "
            + greatestRows
            + " rows. Narrow the intervals, use a coarser granularity, fewer group_by labels or a"
            + " smaller limit.");
  }
}
