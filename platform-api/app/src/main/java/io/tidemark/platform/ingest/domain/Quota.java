package io.tidemark.platform.ingest.domain;

/** What a tenant may send so much of in a second. Names are shown to senders. */
public enum Quota implements SenderLimit {
  REQUESTS("requests_per_second"),
  /** Of bodies as they come, compressed. */
  BYTES("bytes_per_second"),
  /** Accepted ones. */
  POINTS("points_per_second");

  private final String wireName;

  Quota(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
