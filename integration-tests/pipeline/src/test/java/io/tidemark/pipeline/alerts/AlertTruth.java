package io.tidemark.pipeline.alerts;

import io.tidemark.pipeline.alerts.AlertFaultRule.Comparison;
import io.tidemark.pipeline.alerts.AlertStream.Point;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Computes the incidents of one group from its points, as docs/reference/alerts.md describes them
 * and in the plainest way: every minute anew from the points themselves.
 */
final class AlertTruth {
  /** End of an incident that is not over. */
  static final long OPEN = Long.MAX_VALUE;

  /** The points' histograms have buckets of scale 3: eight to an octave. */
  private static final double PER_OCTAVE = 8;

  private static final double SECONDS = 60;

  /**
   * An incident by minutes since the Unix epoch.
   *
   * @param start the first minute that fired
   * @param end the first minute after it; {@link #OPEN} while it lasts
   */
  record Incident(long start, long end) {}

  private final AlertFaultRule rule;
  private final List<Comparison> comparisons;
  private final TreeMap<Long, List<Point>> above = new TreeMap<>();
  private final TreeMap<Long, List<Point>> below = new TreeMap<>();

  /**
   * @param comparisons in the order in which they are in force
   * @param points of the group, in any order; others are ignored
   */
  AlertTruth(AlertFaultRule rule, List<Comparison> comparisons, Collection<Point> points) {
    this.rule = rule;
    this.comparisons = comparisons;
    for (Point point : points) {
      if (point.metric().equals(rule.metric())) {
        above.computeIfAbsent(point.minute(), ignored -> new ArrayList<>()).add(point);
      }
      if (point.metric().equals(rule.below())) {
        below.computeIfAbsent(point.minute(), ignored -> new ArrayList<>()).add(point);
      }
    }
  }

  /** Incidents when the minutes from {@code first} to before {@code until} are decided. */
  List<Incident> incidents(long first, long until) {
    List<Incident> incidents = new ArrayList<>();
    long start = OPEN;
    int inRow = 0;
    int silent = 0;
    for (long minute = first; minute < until; minute++) {
      boolean hasRows = above.containsKey(minute);
      silent = hasRows || minute == first ? 0 : silent + 1;
      boolean isAbsence = rule.kind().equals("absence");
      double value = isAbsence ? silent : number(minute);
      if (Double.isNaN(value)) {
        // Neither counts in a row nor breaks it, until there are enough for no data.
        boolean isNoData = valuesMissing(first, minute) >= rule.noData();
        inRow = isNoData && start == OPEN ? 0 : inRow;
        continue;
      }
      Comparison now = comparison(minute);
      boolean isOpen = start != OPEN;
      boolean holds = rule.isBeyond(value, isOpen ? now.recovery() : now.threshold());
      inRow = holds == isOpen ? 0 : inRow + 1;
      if (!isOpen && inRow >= Math.max(1, rule.holds())) {
        start = minute;
        inRow = 0;
      } else if (isOpen && inRow >= Math.max(1, rule.recovers())) {
        incidents.add(new Incident(start, minute));
        start = OPEN;
        inRow = 0;
      }
    }
    if (start != OPEN) {
      incidents.add(new Incident(start, OPEN));
    }
    return incidents;
  }

  /** Minutes in a row up to this one that have no value. */
  private int valuesMissing(long first, long minute) {
    int missing = 0;
    for (long each = minute; each >= first && Double.isNaN(number(each)); each--) {
      missing++;
    }
    return missing;
  }

  private Comparison comparison(long minute) {
    Comparison inForce = comparisons.get(0);
    for (Comparison each : comparisons) {
      inForce = each.from() <= minute ? each : inForce;
    }
    return inForce;
  }

  private double number(long minute) {
    return switch (rule.kind()) {
      case "threshold" -> aggregated(minute);
      case "change" -> {
        double now = aggregated(minute);
        double then = aggregated(minute - rule.offset());
        yield rule.percent() ? 100 * (now - then) / Math.abs(then) : now - then;
      }
      case "ratio" -> aggregated(minute) / aggregation("sum", window(below, minute));
      case "quantile" -> quantile(window(above, minute));
      default -> throw new IllegalArgumentException(rule.kind());
    };
  }

  private double aggregated(long minute) {
    return aggregation(rule.aggregation(), window(above, minute));
  }

  private List<Point> window(TreeMap<Long, List<Point>> of, long minute) {
    return of.subMap(minute - rule.window() + 1, minute + 1).values().stream()
        .flatMap(List::stream)
        .toList();
  }

  /** NaN without points. */
  private double aggregation(String name, List<Point> points) {
    if (points.isEmpty()) {
      return Double.NaN;
    }
    double sum = points.stream().mapToLong(Point::value).sum();
    return switch (name) {
      case "sum" -> sum;
      case "count" -> points.size();
      case "rate" -> sum / (SECONDS * rule.window());
      case "avg" -> sum / points.size();
      case "min" -> points.stream().mapToLong(Point::value).min().orElseThrow();
      case "max" -> points.stream().mapToLong(Point::value).max().orElseThrow();
      case "last" -> points.stream().max(Comparator.comparing(Point::time)).orElseThrow().value();
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Upper bound of the bucket; the value of a histogram's point is its bucket's number. */
  private double quantile(List<Point> points) {
    List<Long> buckets = points.stream().map(Point::value).sorted().toList();
    if (buckets.isEmpty()) {
      return Double.NaN;
    }
    int rank = (int) Math.max(1, Math.ceil(rule.quantile() * buckets.size()));
    return Math.pow(2, (buckets.get(rank - 1) + 1) / PER_OCTAVE);
  }
}
