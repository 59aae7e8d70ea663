package io.tidemark.platform.query.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which rows answer a query: for each stretch of time the widest windows that fit, and full detail
 * where ordinary rows lack a label that the query needs; each from the store that has rows of that
 * age. No minute is read twice, none is left out.
 */
public final class LevelPlanning {

  private final Granularity granularity;
  private final long completeUntil;
  private final boolean bySeries;
  private final StoreAges ages;

  /**
   * Planning for one query.
   *
   * @param completeUntil rows of hours and days that end later are not all written yet
   * @param bySeries whether values of a series are combined before those of different series: then
   *     a bucket should come from one level, and detail is never summed away
   * @param ages which store is read for which time
   */
  public LevelPlanning(
      Granularity granularity, Instant completeUntil, boolean bySeries, StoreAges ages) {
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
  public List<Part> parts(Spans minutes, List<SplitInterval> splits, Set<LabelKey> labels) {
    List<SplitInterval> needed =
        splits.stream().filter(split -> bySeries || split.lacks(labels)).toList();
    Spans inDetail =
        Spans.union(
            needed.stream().map(split -> new Spans.Span(split.from(), split.to())).toList());
    List<Part> parts = new ArrayList<>();
    Spans rest = minutes;
    for (Source coarse : List.of(Source.DAYS, Source.HOURS)) {
      Spans taken = taken(coarse.level(), rest, inDetail);
      if (!taken.isEmpty()) {
        parts.add(Part.of(coarse, taken));
        rest = rest.minus(taken);
      }
    }
    Spans ordinary = rest.minus(inDetail);
    if (!ordinary.isEmpty()) {
      parts.add(Part.of(Source.MINUTES, ordinary));
    }
    detailed(rest.and(inDetail), needed).forEach(parts::add);
    return ages.among(parts);
  }

  private Spans taken(Level level, Spans rest, Spans inDetail) {
    if (!level.fits(granularity)) {
      return Spans.NONE;
    }
    Spans windows =
        rest.before(completeUntil)
            .wholeWindows(level.width())
            .minus(inDetail.touchedWindows(level.width()));
    return bySeries ? wholeBuckets(windows, rest) : windows;
  }

  /** The buckets that would come from this level alone. */
  private Spans wholeBuckets(Spans windows, Spans rest) {
    if (granularity.width().isEmpty()) {
      return rest.minus(windows).isEmpty() ? windows : Spans.NONE;
    }
    long width = granularity.width().get().toMillis();
    return windows.minus(rest.minus(windows).touchedWindows(width));
  }

  /** Environments are split each for itself: the others' rows of the same minutes are ordinary. */
  private static List<Part> detailed(Spans spans, List<SplitInterval> splits) {
    TreeMap<String, Spans> byEnvironments = new TreeMap<>();
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
        Spans stretch = spans.and(new Spans(List.of(new Spans.Span(at, to))));
        Set<String> split =
            splits.stream()
                .filter(s -> s.from() <= at && at < s.to())
                .map(SplitInterval::environment)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!stretch.isEmpty()) {
          byEnvironments.merge(split.toString(), stretch, Spans::plus);
          environments.put(split.toString(), split);
        }
      }
      from = to;
    }
    List<Part> parts = new ArrayList<>();
    byEnvironments.forEach(
        (name, stretch) -> {
          Set<String> split = environments.get(name);
          parts.add(new Part(Source.MINUTES_IN_DETAIL, Store.DRUID, stretch, split, false));
          parts.add(new Part(Source.MINUTES, Store.DRUID, stretch, split, true));
        });
    return parts;
  }
}
