package io.tidemark.platform.query.domain;

/** What the values of one series in one bucket are brought down to before series are combined. */
public enum TimeFunction {
  SUM,
  MIN,
  MAX,
  COUNT,
  MEAN,
  LAST
}
