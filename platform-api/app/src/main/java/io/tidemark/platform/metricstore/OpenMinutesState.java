package io.tidemark.platform.metricstore;

/** How minutes that are not complete yet are answered; greater says less. */
public enum OpenMinutesState {
  /** With every series that the pipeline shows. */
  SHOWN,
  /** Of some metrics with committed rows alone: they have more series than can be held or read. */
  PARTIAL,
  /** With committed rows alone. */
  ABSENT;

  /** The one that says less. */
  public OpenMinutesState and(OpenMinutesState other) {
    return compareTo(other) < 0 ? other : this;
  }
}
