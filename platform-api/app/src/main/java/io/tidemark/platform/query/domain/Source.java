package io.tidemark.platform.query.domain;

/** Where rows are stored. */
public enum Source {
  MINUTES("rollup_1m", Level.MINUTE),
  /** Split metrics at full detail; nothing else. */
  MINUTES_IN_DETAIL("rollup_1m_hc", Level.MINUTE),
  HOURS("rollup_1h", Level.HOUR),
  DAYS("rollup_1d", Level.DAY);

  private final String datasource;
  private final Level level;

  Source(String datasource, Level level) {
    this.datasource = datasource;
    this.level = level;
  }

  public String datasource() {
    return datasource;
  }

  public Level level() {
    return level;
  }
}
