package io.tidemark.flink.model.series;

/** What a series measures. The wire name is the value of {@code metric_type} in rollup rows. */
public enum MetricKind {
  GAUGE("gauge"),
  /** A sum that only grows. Its points carry the growth since the previous point. */
  COUNTER("counter"),
  /**
   * A sum that may shrink. Sent as delta its points carry changes; sent as cumulative they carry
   * the level, and {@code last} is the figure to read.
   */
  UPDOWN_COUNTER("updown_counter"),
  HISTOGRAM("histogram"),
  EXPONENTIAL_HISTOGRAM("exponential_histogram"),
  SUMMARY("summary");

  private final String wireName;

  MetricKind(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }
}
