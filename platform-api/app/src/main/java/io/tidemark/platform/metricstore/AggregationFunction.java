package io.tidemark.platform.metricstore;

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
  LAST,
  P50(0.50),
  P75(0.75),
  P90(0.90),
  P95(0.95),
  P99(0.99);

  private final double quantile;

  AggregationFunction() {
    this(Double.NaN);
  }

  AggregationFunction(double quantile) {
    this.quantile = quantile;
  }

  /** Whether it is read from distributions. */
  public boolean isQuantile() {
    return !Double.isNaN(quantile);
  }

  /** Between 0 and 1; NaN when it is none. */
  public double quantile() {
    return quantile;
  }
}
