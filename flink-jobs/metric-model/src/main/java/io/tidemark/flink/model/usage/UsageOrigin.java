package io.tidemark.flink.model.usage;

/** What records are made of; records of different origins are never one. */
public enum UsageOrigin {
  /** Points of batches. */
  POINTS,
  /** Rows of rollups. */
  ROWS,
  /** Series that are shown for the first time in an hour. */
  SERIES,
  /** Batches of the points topic, as the rollup job read them. */
  ROLLUP
}
