package io.tidemark.platform.retention;

/** What is kept for times of its own. */
public enum Level {
  /** Points as sent, in the lake. */
  RAW("raw"),
  MINUTES("rollup_1m"),
  HOURS("rollup_1h"),
  DAYS("rollup_1d");

  private final String wireName;

  Level(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }
}
