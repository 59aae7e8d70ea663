package io.tidemark.platform.promql.domain;

/** What is taken from the minutes of a window. */
public enum WindowValue {
  /** What a counter grew by, per second. */
  RATE,
  /** What a counter grew by. */
  INCREASE,
  SUM,
  MEAN,
  MIN,
  MAX,
  COUNT,
  LAST,
  /** 1 when there is anything. */
  PRESENT,
  /** A selector alone: the last value of a level, what the last minute added to a counter. */
  CURRENT;

  /** Whether the result still is the metric itself. */
  public boolean keepsName() {
    return this == LAST || this == CURRENT;
  }
}
