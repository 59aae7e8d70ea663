package io.tidemark.platform.promql.domain;

/** What is taken from the minutes of a window, or from the values of a subquery. */
public enum WindowValue {
  /** What a counter grew by, per second. */
  RATE(From.MINUTES),
  /** What a counter grew by. */
  INCREASE(From.MINUTES),
  /** What a counter grew by in the newest minute, per second. */
  INSTANT_RATE(From.READINGS),
  SUM(From.BOTH),
  MEAN(From.BOTH),
  MIN(From.BOTH),
  MAX(From.BOTH),
  COUNT(From.BOTH),
  LAST(From.BOTH),
  /** 1 when there is anything. */
  PRESENT(From.BOTH),
  /** 1 when there is nothing. */
  ABSENT(From.BOTH),
  /** What the readings of a level rose by, from zero again after each fall, per second. */
  RISE_RATE(From.READINGS),
  /** What the readings of a level rose by, from zero again after each fall. */
  RISE(From.READINGS),
  /** What the newest reading of a level rose by, per second. */
  INSTANT_RISE_RATE(From.READINGS),
  /** The difference between both ends of the window. */
  DELTA(From.READINGS_OR_VALUES),
  /** The difference between the last two. */
  INSTANT_DELTA(From.READINGS_OR_VALUES),
  /** The slope of the line nearest to all, per second. */
  SLOPE(From.READINGS_OR_VALUES),
  /** That line, so many seconds later. */
  PREDICTION(From.READINGS_OR_VALUES),
  CHANGES(From.VALUES),
  DEVIATION(From.VALUES),
  VARIANCE(From.VALUES),
  QUANTILE(From.VALUES),
  /** A selector alone: the last value of a level, what the last minute added to a counter. */
  CURRENT(From.MINUTES);

  private enum From {
    MINUTES,
    READINGS,
    VALUES,
    BOTH,
    READINGS_OR_VALUES
  }

  private final From from;

  WindowValue(From from) {
    this.from = from;
  }

  /** Whether the result still is the metric itself. */
  public boolean keepsName() {
    return this == LAST || this == CURRENT;
  }

  /** What the function for counters is for a level, which is stored as readings; else itself. */
  public WindowValue ofLevel() {
    return switch (this) {
      case RATE -> RISE_RATE;
      case INCREASE -> RISE;
      case INSTANT_RATE -> INSTANT_RISE_RATE;
      default -> this;
    };
  }

  /** Whether stored minutes have it exactly. */
  boolean isOfMinutes() {
    return from != From.VALUES;
  }

  /** Whether the values of a subquery have it. */
  boolean isOfSubqueries() {
    return from != From.MINUTES && from != From.READINGS;
  }

  /**
   * Whether it is taken from readings: one a minute, which stands at the minute's end. The reading
   * at the beginning of a window is one of the window.
   */
  public boolean isOfReadings() {
    return from == From.READINGS || from == From.READINGS_OR_VALUES;
  }
}
