package io.tidemark.platform.metricstore;

/** Which share of the store a query may take; equal to {@code infra/druid/broker}. */
public enum Lane {
  INTERACTIVE("interactive", 10),
  EXPORT("export", 0),
  /** Queries that read much. */
  SLOW("slow-lane", -10);

  private final String wireName;
  private final int priority;

  Lane(String wireName, int priority) {
    this.wireName = wireName;
    this.priority = priority;
  }

  public String wireName() {
    return wireName;
  }

  /** Greater goes first. */
  public int priority() {
    return priority;
  }
}
