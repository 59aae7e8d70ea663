package io.tidemark.flink.io.points;

/** Header names of the points topic; see events/record-headers.yaml. */
public final class PointsHeaders {
  public static final String ORGANIZATION_ID = "tidemark.organization_id";
  public static final String ENVIRONMENT_ID = "tidemark.environment_id";
  public static final String BATCH_ID = "tidemark.batch_id";
  public static final String RECEIVED_AT_UNIX_MS = "tidemark.received_at_unix_ms";

  private PointsHeaders() {}
}
