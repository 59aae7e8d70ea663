package io.tidemark.flink.model.usage;

/** What records are made of; records of different origins are never one. */
public enum UsageOrigin {
  /** Batches of the points topic. */
  POINTS,
  /** Records of rollup topics. */
  ROWS,
  /** Single rows that show a series for the first time in an hour. */
  SERIES,
  /** Batches of the points topic, as the rollup job read them. */
  ROLLUP
}
