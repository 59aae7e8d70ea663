package io.tidemark.platform.query.domain;

/**
 * What is done with the values of a bucket and group. Equal to {@code
 * contracts/vocabulary/aggregations.yaml}; a test compares them.
 */
public enum AggregationFunction {
  SUM,
  MIN,
  MAX,
  COUNT,
  AVG,
  LAST
}
