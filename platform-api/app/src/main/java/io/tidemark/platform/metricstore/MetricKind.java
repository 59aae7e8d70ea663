package io.tidemark.platform.metricstore;

/** What the values of a metric mean over time. */
public enum MetricKind {
  /** Levels: values of different times are not added up. */
  GAUGE,
  /** Increases: they add up. */
  COUNTER,
  /** Distributions of observations. */
  HISTOGRAM;

  /** The kind of a stored {@code metric_type}. */
  public static MetricKind ofStored(String metricType) {
    return switch (metricType) {
      case "gauge" -> GAUGE;
      case "histogram", "exponential_histogram", "summary" -> HISTOGRAM;
      default -> COUNTER;
    };
  }
}
