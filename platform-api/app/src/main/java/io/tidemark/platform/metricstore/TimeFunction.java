package io.tidemark.platform.metricstore;

/** What the values of one series in one bucket are brought down to before series are combined. */
public enum TimeFunction {
  SUM,
  MIN,
  MAX,
  COUNT,
  MEAN,
  LAST
}
