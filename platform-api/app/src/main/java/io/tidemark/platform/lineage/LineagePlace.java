package io.tidemark.platform.lineage;

/** Where points and what is made of them are on their way. */
public enum LineagePlace {
  GATEWAY(Kind.SERVICE),
  POINTS_TOPIC(Kind.TOPIC),
  ROLLUP_JOB(Kind.JOB),
  ROLLUP_TOPICS(Kind.TOPIC),
  DRUID(Kind.STORE),
  LAKE_JOB(Kind.JOB),
  LAKE(Kind.STORE),
  ALERT_JOB(Kind.JOB),
  TRANSITIONS(Kind.TOPIC),
  USAGE_JOB(Kind.JOB),
  LEDGER(Kind.STORE);

  /** What a place is. */
  public enum Kind {
    SERVICE,
    TOPIC,
    JOB,
    STORE
  }

  private final Kind kind;

  LineagePlace(Kind kind) {
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
