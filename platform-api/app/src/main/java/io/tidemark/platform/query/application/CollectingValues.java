package io.tidemark.platform.query.application;

import io.tidemark.platform.query.domain.Aggregation.Computation;
import io.tidemark.platform.query.domain.Answer.ExplainedPart;
import io.tidemark.platform.query.domain.Collected;
import io.tidemark.platform.query.domain.Figure;
import io.tidemark.platform.query.domain.Figures;
import io.tidemark.platform.query.domain.GroupOrder;
import io.tidemark.platform.query.domain.Lane;
import io.tidemark.platform.query.domain.LevelPlanning;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.Part;
import io.tidemark.platform.query.domain.Spans;
import io.tidemark.platform.query.domain.StoreQuery;
import io.tidemark.platform.query.domain.StoreQuery.Shape;
import io.tidemark.platform.query.domain.StoreRow;
import io.tidemark.platform.query.domain.TimeFunction;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads what the computations of one query need and adds it up. Computations of the same metric
 * that bring series down in the same way are read together.
 */
final class CollectingValues {

  /** What is read together. */
  private record Reading(String metric, Optional<TimeFunction> timeFunction) {}

  /** One query of the store to come. */
  private record Step(Part part, Shape shape) {}

  private final RunQuery store;
  private final TenantId organization;
  private final MetricQuery query;
  private final List<Computation> computations;
  private final int greatestRows;
  private final Map<Reading, List<Step>> steps = new LinkedHashMap<>();

  CollectingValues(
      RunQuery store,
      TenantId organization,
      MetricQuery query,
      List<Computation> computations,
      int greatestRows) {
    this.store = store;
    this.organization = organization;
    this.query = query;
    this.computations = computations;
    this.greatestRows = greatestRows;
  }

  /** Decides what to read. */
  CollectingValues plan(PipelineProgress progress, Instant completeUntil) {
    for (Computation computation : computations) {
      Reading reading = new Reading(computation.metric(), computation.timeFunction());
      steps.computeIfAbsent(
          reading,
          ignored -> {
            List<Part> parts =
                new LevelPlanning(
                        query.granularity(), completeUntil, reading.timeFunction().isPresent())
                    .parts(
                        query.minutes(),
                        progress.splits(organization, Optional.of(reading.metric())),
                        query.labels());
            return reading.timeFunction().isEmpty()
                ? parts.stream().map(part -> new Step(part, new Shape.Flat())).toList()
                : steps(parts, reading.timeFunction().get());
          });
    }
    return this;
  }

  /** Everything that is to be read, of all metrics. */
  List<Part> parts() {
    return steps.values().stream().flatMap(List::stream).map(Step::part).toList();
  }

  /** About how many stored rows that are. */
  long estimate() {
    long rows = 0;
    for (var entry : steps.entrySet()) {
      for (Step step : entry.getValue()) {
        rows +=
            store.estimate(
                organization,
                storeQuery(entry.getKey(), step, Set.of(), Optional.empty(), Lane.INTERACTIVE));
      }
    }
    return rows;
  }

  List<ExplainedPart> explained() {
    List<ExplainedPart> explained = new ArrayList<>();
    steps.forEach(
        (reading, parts) ->
            parts.forEach(
                step ->
                    explained.add(
                        new ExplainedPart(
                            reading.metric(), step.part(), store.segments(step.part())))));
    return explained;
  }

  /** Reads. */
  Collected collect(Optional<List<String>> after, Lane lane) {
    Collected collected = new Collected(computations.size());
    for (var entry : steps.entrySet()) {
      Reading reading = entry.getKey();
      Map<List<String>, Map<Instant, Figures>> groups =
          read(reading, entry.getValue(), after, lane);
      for (int i = 0; i < computations.size(); i++) {
        Computation computation = computations.get(i);
        if (reading.equals(new Reading(computation.metric(), computation.timeFunction()))) {
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
    var only = steps.entrySet().iterator().next();
    return read(only.getKey(), only.getValue(), Optional.empty(), lane);
  }

  /** Buckets that come from rows of different times are combined here, series by series. */
  private List<Step> steps(List<Part> parts, TimeFunction function) {
    Spans mixed = Spans.NONE;
    for (int i = 0; i < parts.size(); i++) {
      for (int j = i + 1; j < parts.size(); j++) {
        // Parts of the same time hold different series.
        if (!parts.get(i).spans().equals(parts.get(j).spans())) {
          mixed = mixed.plus(buckets(parts.get(i)).and(buckets(parts.get(j))));
        }
      }
    }
    List<Step> steps = new ArrayList<>();
    for (Part part : parts) {
      Spans alone = part.spans().minus(mixed);
      Spans together = part.spans().and(mixed);
      if (!alone.isEmpty()) {
        steps.add(new Step(of(part, alone), new Shape.SeriesFirst(function)));
      }
      if (!together.isEmpty()) {
        steps.add(new Step(of(part, together), new Shape.BySeries()));
      }
    }
    return steps;
  }

  private static Part of(Part part, Spans spans) {
    return new Part(part.source(), spans, part.environments(), part.except());
  }

  private Spans buckets(Part part) {
    return query
        .granularity()
        .width()
        .map(width -> part.spans().touchedWindows(width.toMillis()))
        .orElseGet(query::minutes);
  }

  private Map<List<String>, Map<Instant, Figures>> read(
      Reading reading, List<Step> steps, Optional<List<String>> after, Lane lane) {
    Set<Figure> outer = EnumSet.noneOf(Figure.class);
    computations.stream()
        .filter(c -> reading.equals(new Reading(c.metric(), c.timeFunction())))
        .forEach(c -> outer.addAll(Figure.of(c.function())));
    Map<List<String>, Map<Instant, Figures>> groups = new TreeMap<>(GroupOrder.GROUPS);
    Map<List<String>, Map<Instant, Map<String, Figures>>> series = new HashMap<>();
    int rows = 0;
    for (Step step : steps) {
      boolean bySeries = step.shape() instanceof Shape.BySeries;
      Set<Figure> figures = bySeries ? Figure.of(reading.timeFunction().orElseThrow()) : outer;
      for (StoreRow row :
          store.run(organization, storeQuery(reading, step, figures, after, lane))) {
        Instant bucket = query.bucketOf(row.bucket());
        if (++rows > greatestRows) {
          throw tooLarge();
        }
        if (bySeries) {
          series
              .computeIfAbsent(row.labels(), ignored -> new HashMap<>())
              .computeIfAbsent(bucket, ignored -> new HashMap<>())
              .merge(row.series(), row.figures(), CollectingValues::sum);
        } else {
          add(groups, row.labels(), bucket, row.figures());
        }
      }
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
                                add(groups, labels, bucket, Figures.of(value));
                              }
                            })));
    return groups;
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
        query.granularity(),
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
