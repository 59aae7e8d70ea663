package io.tidemark.platform.metricstore;

import java.util.EnumSet;
import java.util.Set;

/** A stored figure that an answer is computed from. */
public enum AggregateColumn {
  SUM,
  COUNT,
  MIN,
  MAX,
  LAST,
  DISTRIBUTION;

  /** What a function of all values reads. */
  public static Set<AggregateColumn> of(AggregationFunction function) {
    return switch (function) {
      case SUM -> EnumSet.of(SUM);
      case MIN -> EnumSet.of(MIN);
      case MAX -> EnumSet.of(MAX);
      case COUNT -> EnumSet.of(COUNT);
      case LAST -> EnumSet.of(LAST);
      case AVG -> EnumSet.of(SUM, COUNT);
      case P50, P75, P90, P95, P99 -> EnumSet.of(DISTRIBUTION, MIN, MAX);
    };
  }

  /** What a function of the values of one series reads. */
  public static Set<AggregateColumn> of(TimeFunction function) {
    return switch (function) {
      case SUM -> EnumSet.of(SUM);
      case MIN -> EnumSet.of(MIN);
      case MAX -> EnumSet.of(MAX);
      case COUNT -> EnumSet.of(COUNT);
      case LAST -> EnumSet.of(LAST);
      case MEAN -> EnumSet.of(SUM, COUNT);
    };
  }
}
