package io.tidemark.platform.metricstore;

/** What keeps rows: of every source, Druid the newer ones and the lake all. */
public enum Store {
  DRUID("druid"),
  /** Iceberg tables of the same names as Druid's datasources. */
  LAKE("iceberg");

  private final String wireName;

  Store(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }
}
