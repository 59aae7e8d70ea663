package io.tidemark.flink.model.usage;

import java.util.Arrays;

/**
 * Rows of a subject that are written and not yet reported, and the series among them. Who writes
 * rows keeps it at what their series have in common, so that a row finds it without a search.
 */
public final class RowTally {

  private static final long[] NO_SERIES = new long[0];

  private final String environment;
  private final byte[] subject;
  private int minutes;
  private int inDetail;
  private int hours;
  private int days;
  private long[] series = NO_SERIES;
  private int seriesSize;

  /**
   * A tally without rows.
   *
   * @param environment of the subject, as whoever tells of it says it
   * @param subject the same
   */
  public RowTally(String environment, byte[] subject) {
    this.environment = environment;
    this.subject = subject;
  }

  public String environment() {
    return environment;
  }

  /** Not to be changed. */
  public byte[] subject() {
    return subject;
  }

  public boolean isEmpty() {
    return (minutes | inDetail | hours | days) == 0;
  }

  /** One row more. */
  public void add(RowLevel level) {
    switch (level) {
      case MINUTES -> minutes++;
      case MINUTES_IN_DETAIL -> inDetail++;
      case HOURS -> hours++;
      case DAYS -> days++;
    }
  }

  /** A series that a row shows. */
  public void show(long high, long low) {
    if (seriesSize + 2 > series.length) {
      series = Arrays.copyOf(series, Math.max(16, series.length * 2));
    }
    series[seriesSize++] = high;
    series[seriesSize++] = low;
  }

  /** Ids of the series that are shown, two numbers each; there may be more numbers. */
  public long[] series() {
    return series;
  }

  /** How many series are shown. */
  public int shown() {
    return seriesSize / 2;
  }

  /** The rows of all levels. */
  public MeteredUnits units() {
    return new MeteredUnits(0, 0, 0, 0, 0, 0, minutes, inDetail, hours, days);
  }

  /** Holds nothing any more; all was told. */
  public void clear() {
    minutes = 0;
    inDetail = 0;
    hours = 0;
    days = 0;
    series = NO_SERIES;
    seriesSize = 0;
  }
}
