package io.tidemark.platform.cardinality;

import io.tidemark.platform.metricstore.SeriesCounter.ReducedSeries;
import io.tidemark.platform.metricstore.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What dropping or splitting a label does to series and rows.
 *
 * <p>Ordinary rows of minutes, hours and days lack the split labels; rows in detail have all and
 * are there only while a label is split. A row of an hour or day is a series.
 *
 * @param series of ordinary rows as they are
 * @param seriesAfter the same without the label
 */
public record LabelEffect(long series, long seriesAfter, List<LevelRows> levels) {

  /** What would be done with a label. */
  public enum Action {
    DROP,
    SPLIT
  }

  /** Rows of a day. */
  public record LevelRows(Source source, long rows, long rowsAfter) {}

  private static final Duration DAY = Duration.ofDays(1);

  public LabelEffect {
    levels = List.copyOf(levels);
  }

  /**
   * Computes the effect.
   *
   * @param labels of the metric
   * @param split those that ordinary rows lack now
   * @param window length of what is counted
   * @param counting counts with the labels that are given
   */
  static LabelEffect of(
      Action action,
      String label,
      Set<String> labels,
      Set<String> split,
      Duration window,
      Function<Set<String>, ReducedSeries> counting) {
    boolean isDropped = action == Action.DROP;
    Set<String> splitAfter = new TreeSet<>(split);
    if (isDropped) {
      splitAfter.remove(label);
    } else {
      splitAfter.add(label);
    }
    Set<String> detail = new TreeSet<>(labels);
    Set<String> detailAfter = without(labels, isDropped ? Set.of(label) : Set.of());
    ReducedSeries ordinary = counting.apply(without(labels, split));
    ReducedSeries ordinaryAfter = counting.apply(without(detailAfter, splitAfter));
    List<LevelRows> levels = new ArrayList<>();
    levels.add(
        new LevelRows(
            Source.MINUTES, perDay(ordinary.rows(), window), perDay(ordinaryAfter.rows(), window)));
    long inDetail = split.isEmpty() ? 0 : perDay(counting.apply(detail).rows(), window);
    long inDetailAfter =
        splitAfter.isEmpty() ? 0 : perDay(counting.apply(detailAfter).rows(), window);
    if (inDetail > 0 || inDetailAfter > 0) {
      levels.add(new LevelRows(Source.MINUTES_IN_DETAIL, inDetail, inDetailAfter));
    }
    levels.add(new LevelRows(Source.HOURS, 24 * ordinary.series(), 24 * ordinaryAfter.series()));
    levels.add(new LevelRows(Source.DAYS, ordinary.series(), ordinaryAfter.series()));
    return new LabelEffect(ordinary.series(), ordinaryAfter.series(), levels);
  }

  private static Set<String> without(Set<String> labels, Set<String> some) {
    Set<String> left = new TreeSet<>(labels);
    left.removeAll(some);
    return left;
  }

  private static long perDay(long rows, Duration window) {
    return Math.round((double) rows * DAY.toMillis() / window.toMillis());
  }
}
