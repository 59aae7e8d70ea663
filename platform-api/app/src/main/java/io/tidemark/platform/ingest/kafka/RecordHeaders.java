package io.tidemark.platform.ingest.kafka;

/**
 * Header keys of the points topic. Equal to {@code contracts/events/record-headers.yaml}; a test
 * compares them.
 */
final class RecordHeaders {

  static final String ORGANIZATION_ID = "tidemark.organization_id";
  static final String ENVIRONMENT_ID = "tidemark.environment_id";
  static final String BATCH_ID = "tidemark.batch_id";
  static final String RECEIVED_AT_UNIX_MS = "tidemark.received_at_unix_ms";
  static final String POINTS = "tidemark.points";
  static final String REJECTED = "tidemark.rejected";
  static final String IDEMPOTENCY_KEY = "tidemark.idempotency_key";

  private RecordHeaders() {}
}
