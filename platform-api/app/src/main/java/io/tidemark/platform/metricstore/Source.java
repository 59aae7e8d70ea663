package io.tidemark.platform.metricstore;

/** Where rows are stored. */
public enum Source {
  MINUTES("rollup_1m", "telemetry.rollup-1m.v1", Level.MINUTE),
  /** Split metrics at full detail; nothing else. */
  MINUTES_IN_DETAIL("rollup_1m_hc", "telemetry.rollup-1m-hc.v1", Level.MINUTE),
  HOURS("rollup_1h", "telemetry.rollup-1h.v1", Level.HOUR),
  DAYS("rollup_1d", "telemetry.rollup-1d.v1", Level.DAY);

  private final String datasource;
  private final String topic;
  private final Level level;

  Source(String datasource, String topic, Level level) {
    this.datasource = datasource;
    this.topic = topic;
    this.level = level;
  }

  public String datasource() {
    return datasource;
  }

  /** The topic whose rows the datasource and the table of the lake hold. */
  public String topic() {
    return topic;
  }

  public Level level() {
    return level;
  }
}
