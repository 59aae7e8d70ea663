package io.tidemark.platform.query.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.OpenMinuteCell;
import io.tidemark.platform.metricstore.OpenMinutes;
import io.tidemark.platform.metricstore.OpenMinutesState;
import io.tidemark.platform.metricstore.ScanAvailability;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.metricstore.Store;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreTierRanges;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.query.domain.Aggregation.Computation;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.RollupLevelPlanner;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What has to be read for one query. Computations of the same metric that bring series down in the
 * same way are read together.
 */
final class PhysicalPlanner {

  /** What is read together. */
  record MetricScan(String metric, Optional<TimeFunction> timeFunction) {
    static MetricScan of(Computation computation) {
      return new MetricScan(computation.metric(), computation.timeFunction());
    }
  }

  /**
   * One query of the store to come.
   *
   * @param isOpen minute by minute and series by series, because a cell may stand for its rows
   */
  record Step(ScanSpec part, Shape shape, boolean isOpen) {}

  /** What is to be asked, and what is shown of open minutes instead. */
  record Plan(List<Step> steps, List<OpenMinuteCell> cells) {}

  private final TenantId organization;
  private final MetricQuery query;
  private final int maxCells;
  private final StoreTierRanges ages;
  private final Map<MetricScan, Plan> plans = new LinkedHashMap<>();
  private OpenMinutesState open = OpenMinutesState.SHOWN;

  /**
   * No plans yet.
   *
   * @param maxCells metrics of which more is shown are answered without it
   * @param ages which store is read for which time
   */
  PhysicalPlanner(TenantId organization, MetricQuery query, int maxCells, StoreTierRanges ages) {
    this.organization = organization;
    this.query = query;
    this.maxCells = maxCells;
    this.ages = ages;
  }

  Map<MetricScan, Plan> all() {
    return plans;
  }

  /** Whether one answer of Druid to the step is all that the groups of the reading are. */
  boolean isWhole(MetricScan reading, Step step) {
    Plan plan = Objects.requireNonNull(plans.get(reading));
    return plan.steps().size() == 1
        && plan.cells().isEmpty()
        && !step.isOpen()
        && !(step.shape() instanceof Shape.BySeries)
        && step.part().store() == Store.DRUID;
  }

  /** How minutes that are not complete are answered. */
  OpenMinutesState open() {
    return open;
  }

  /**
   * Adds what a computation needs. What is shown of open minutes is taken now, before anything is
   * read, so that rows which come in between count in its place or not at all.
   */
  void add(
      Computation computation,
      PipelineProgress progress,
      OpenMinutes openMinutes,
      Instant firstOpenMinute) {
    MetricScan reading = MetricScan.of(computation);
    if (!plans.containsKey(reading)) {
      List<SplitInterval> splits = progress.splits(organization, Optional.of(reading.metric()));
      plans.put(
          reading,
          plan(reading, cells(reading, openMinutes, firstOpenMinute), splits, firstOpenMinute));
    }
  }

  private List<OpenMinuteCell> cells(
      MetricScan reading, OpenMinutes openMinutes, Instant firstOpenMinute) {
    IntervalSet minutes = query.minutes().from(firstOpenMinute.toEpochMilli());
    if (minutes.isEmpty()) {
      return List.of();
    }
    OpenMinutes.OpenMinutesView shown =
        openMinutes.shown(
            organization,
            Optional.of(reading.metric()),
            minutes,
            labels -> query.filter().map(filter -> filter.matches(labels)).orElse(true));
    boolean isReadable = shown.cells().size() <= maxCells;
    open = open.and(isReadable ? shown.state() : OpenMinutesState.PARTIAL);
    return isReadable ? shown.cells() : List.of();
  }

  private Plan plan(
      MetricScan reading,
      List<OpenMinuteCell> cells,
      List<SplitInterval> splits,
      Instant firstOpenMinute) {
    IntervalSet shown = minutesOf(cells);
    List<ScanSpec> parts =
        new RollupLevelPlanner(
                query.granularity(), firstOpenMinute, reading.timeFunction().isPresent(), ages)
            .parts(query.minutes().minus(shown), splits, query.labels());
    // Cells are of series at full detail.
    List<ScanSpec> openParts =
        new RollupLevelPlanner(Granularity.PT1M, firstOpenMinute, true, ages)
            .parts(shown, splits, query.labels());
    ScanAvailability.check(ages, parts);
    List<Step> steps = new ArrayList<>();
    if (reading.timeFunction().isEmpty()) {
      parts.forEach(part -> steps.add(new Step(part, new Shape.Flat(), false)));
    } else {
      steps.addAll(steps(parts, openParts, reading.timeFunction().get()));
    }
    openParts.forEach(part -> steps.add(new Step(part, new Shape.BySeries(), true)));
    return new Plan(steps, cells);
  }

  private static IntervalSet minutesOf(List<OpenMinuteCell> cells) {
    return cells.stream()
        .map(OpenMinuteCell::minute)
        .distinct()
        .map(
            minute ->
                new IntervalSet(
                    List.of(new IntervalSet.Span(minute, minute + Level.MINUTE.width()))))
        .reduce(IntervalSet.NONE, IntervalSet::plus);
  }

  /** Buckets that come from rows of different times are combined here, series by series. */
  private List<Step> steps(List<ScanSpec> parts, List<ScanSpec> openParts, TimeFunction function) {
    IntervalSet mixed =
        openParts.stream().map(this::buckets).reduce(IntervalSet.NONE, IntervalSet::plus);
    for (int i = 0; i < parts.size(); i++) {
      for (int j = i + 1; j < parts.size(); j++) {
        // Parts of the same time hold different series.
        if (!parts.get(i).spans().equals(parts.get(j).spans())) {
          mixed = mixed.plus(buckets(parts.get(i)).and(buckets(parts.get(j))));
        }
      }
    }
    List<Step> steps = new ArrayList<>();
    for (ScanSpec part : parts) {
      IntervalSet alone = part.spans().minus(mixed);
      IntervalSet together = part.spans().and(mixed);
      if (!alone.isEmpty()) {
        steps.add(new Step(of(part, alone), new Shape.SeriesFirst(function), false));
      }
      if (!together.isEmpty()) {
        steps.add(new Step(of(part, together), new Shape.BySeries(), false));
      }
    }
    return steps;
  }

  private static ScanSpec of(ScanSpec part, IntervalSet spans) {
    return new ScanSpec(part.source(), part.store(), spans, part.environments(), part.except());
  }

  private IntervalSet buckets(ScanSpec part) {
    return query
        .granularity()
        .width()
        .map(width -> part.spans().touchedWindows(width.toMillis()))
        .orElseGet(query::minutes);
  }
}
