package io.tidemark.flink.model.usage;

/** Levels of rollup rows that are metered apart. */
public enum RowLevel {
  MINUTES,
  MINUTES_IN_DETAIL,
  HOURS,
  DAYS
}
