package io.tidemark.flink.model.usage;

import java.util.Arrays;

/**
 * Rows of a subject that were written and not told of yet, and series that they show. Who writes
 * rows keeps it at what their series have in common, so that a row finds it without a search.
 */
public final class RowTally {

  private static final RowLevel[] LEVELS = RowLevel.values();
  private static final long[] NO_SERIES = new long[0];

  private final UsageSubject subject;
  private final long[] rows = new long[LEVELS.length];
  private long all;
  private long[] series = NO_SERIES;
  private int seriesSize;

  public RowTally(UsageSubject subject) {
    this.subject = subject;
  }

  public UsageSubject subject() {
    return subject;
  }

  /** One row more; returns whether it is the first since all was told. */
  public boolean add(RowLevel level) {
    rows[level.ordinal()]++;
    return all++ == 0;
  }

  /** A series that a row shows. */
  public void show(long high, long low) {
    if (seriesSize + 2 > series.length) {
      series = Arrays.copyOf(series, Math.max(16, series.length * 2));
    }
    series[seriesSize++] = high;
    series[seriesSize++] = low;
  }

  /** How many series are shown. */
  public int shown() {
    return seriesSize / 2;
  }

  /** Ids of the series that are shown, two numbers each. */
  public long[] series() {
    return Arrays.copyOf(series, seriesSize);
  }

  /** The rows of all levels. */
  public MeteredUnits units() {
    MeteredUnits units = MeteredUnits.NONE;
    for (RowLevel level : LEVELS) {
      if (rows[level.ordinal()] > 0) {
        units = units.plus(MeteredUnits.ofRows(level, rows[level.ordinal()]));
      }
    }
    return units;
  }

  /** Takes over the rows and series of another tally of the subject. */
  public void add(RowTally other) {
    for (int i = 0; i < rows.length; i++) {
      rows[i] += other.rows[i];
    }
    all += other.all;
    for (int i = 0; i < other.seriesSize; i += 2) {
      show(other.series[i], other.series[i + 1]);
    }
  }

  /** Shows no series any more; they were told. */
  public void forgetSeries() {
    series = NO_SERIES;
    seriesSize = 0;
  }

  /** Holds nothing any more; all was told. */
  public void clear() {
    Arrays.fill(rows, 0);
    all = 0;
    forgetSeries();
  }
}
