package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.metricstore.Store;
import io.tidemark.platform.metricstore.StoreTierRanges;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which rows answer a query: for each stretch of time the widest windows that fit, and full detail
 * where ordinary rows lack a label that the query needs; each from the store that has rows of that
 * age. No minute is read twice, none is left out.
 */
public final class RollupLevelPlanner {

  private final Granularity granularity;
  private final long completeUntil;
  private final boolean bySeries;
  private final StoreTierRanges ages;

  /**
   * Planning for one query.
   *
   * @param completeUntil rows of hours and days that end later are not all written yet
   * @param bySeries whether values of a series are combined before those of different series: then
   *     a bucket should come from one level, and detail is never summed away
   * @param ages which store is read for which time
   */
  public RollupLevelPlanner(
      Granularity granularity, Instant completeUntil, boolean bySeries, StoreTierRanges ages) {
    this.granularity = granularity;
    this.completeUntil = completeUntil.toEpochMilli();
    this.bySeries = bySeries;
    this.ages = ages;
  }

  /**
   * The parts that together make the answer.
   *
   * @param minutes whole minutes
   * @param splits of the metrics that are asked for
   * @param labels that group or filter
   */
  public List<ScanSpec> parts(
      IntervalSet minutes, List<SplitInterval> splits, Set<LabelKey> labels) {
    List<SplitInterval> needed =
        splits.stream().filter(split -> bySeries || split.lacks(labels)).toList();
    IntervalSet inDetail =
        IntervalSet.union(
            needed.stream().map(split -> new IntervalSet.Span(split.from(), split.to())).toList());
    List<ScanSpec> parts = new ArrayList<>();
    IntervalSet rest = minutes;
    for (Source coarse : List.of(Source.DAYS, Source.HOURS)) {
      IntervalSet taken = taken(coarse.level(), rest, inDetail);
      if (!taken.isEmpty()) {
        parts.add(ScanSpec.of(coarse, taken));
        rest = rest.minus(taken);
      }
    }
    IntervalSet ordinary = rest.minus(inDetail);
    if (!ordinary.isEmpty()) {
      parts.add(ScanSpec.of(Source.MINUTES, ordinary));
    }
    detailed(rest.and(inDetail), needed).forEach(parts::add);
    return ages.among(parts);
  }

  private IntervalSet taken(Level level, IntervalSet rest, IntervalSet inDetail) {
    if (!level.fits(granularity)) {
      return IntervalSet.NONE;
    }
    IntervalSet windows =
        rest.before(completeUntil)
            .wholeWindows(level.width())
            .minus(inDetail.touchedWindows(level.width()));
    return bySeries ? wholeBuckets(windows, rest) : windows;
  }

  /** The buckets that would come from this level alone. */
  private IntervalSet wholeBuckets(IntervalSet windows, IntervalSet rest) {
    if (granularity.width().isEmpty()) {
      return rest.minus(windows).isEmpty() ? windows : IntervalSet.NONE;
    }
    long width = granularity.width().get().toMillis();
    return windows.minus(rest.minus(windows).touchedWindows(width));
  }

  /** Environments are split each for itself: the others' rows of the same minutes are ordinary. */
  private static List<ScanSpec> detailed(IntervalSet spans, List<SplitInterval> splits) {
    TreeMap<String, IntervalSet> byEnvironments = new TreeMap<>();
    TreeMap<String, Set<String>> environments = new TreeMap<>();
    TreeSet<Long> edges = new TreeSet<>();
    splits.forEach(
        split -> {
          edges.add(split.from());
          edges.add(split.to());
        });
    Long from = null;
    for (Long to : edges) {
      if (from != null) {
        long at = from;
        IntervalSet stretch = spans.and(new IntervalSet(List.of(new IntervalSet.Span(at, to))));
        Set<String> split =
            splits.stream()
                .filter(s -> s.from() <= at && at < s.to())
                .map(SplitInterval::environment)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!stretch.isEmpty()) {
          byEnvironments.merge(split.toString(), stretch, IntervalSet::plus);
          environments.put(split.toString(), split);
        }
      }
      from = to;
    }
    List<ScanSpec> parts = new ArrayList<>();
    byEnvironments.forEach(
        (name, stretch) -> {
          Set<String> split = Objects.requireNonNull(environments.get(name));
          parts.add(new ScanSpec(Source.MINUTES_IN_DETAIL, Store.DRUID, stretch, split, false));
          parts.add(new ScanSpec(Source.MINUTES, Store.DRUID, stretch, split, true));
        });
    return parts;
  }
}
