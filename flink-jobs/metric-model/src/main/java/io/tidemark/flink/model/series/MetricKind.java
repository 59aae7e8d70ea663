package io.tidemark.flink.model.series;

/** What a series measures. The wire name is the value of {@code metric_type} in rollup rows. */
public enum MetricKind {
  /** A level, whether it was sent as a gauge or as the state of a sum that may shrink. */
  GAUGE("gauge"),
  /** A sum that only grows. Its points carry the growth since the previous point. */
  COUNTER("counter"),
  /** A sum that may shrink, sent as changes: its points add up. */
  UPDOWN_COUNTER("updown_counter"),
  HISTOGRAM("histogram"),
  EXPONENTIAL_HISTOGRAM("exponential_histogram"),
  SUMMARY("summary");

  private final String wireName;

  MetricKind(String wireName) {
    this.wireName = wireName;
  }

  /**
   * The kind of a sum. A sum that may shrink, sent as it stands, is a level: readings of different
   * times are not added up.
   */
  public static MetricKind ofSum(boolean isMonotonic, boolean isCumulative) {
    if (isMonotonic) {
      return COUNTER;
    }
    return isCumulative ? GAUGE : UPDOWN_COUNTER;
  }

  public String wireName() {
    return wireName;
  }
}
