package io.tidemark.platform.ingest.domain;

/**
 * Limits of an environment's series; the pipeline reports when they are exceeded. Names are shown
 * to senders.
 */
public enum SeriesBudget implements SenderLimit {
  ACTIVE_SERIES("active_series"),
  NEW_SERIES_PER_MINUTE("new_series_per_minute");

  private final String wireName;

  SeriesBudget(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
