package io.tidemark.platform.ingest.application;

import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.shared.TenantId;

/** Counts what the gateway did. */
@FunctionalInterface
public interface IngestMetrics {

  /**
   * One batch was dealt with.
   *
   * @param protocol {@code otlp_http}, {@code otlp_grpc}, {@code remote_write_1} or {@code
   *     remote_write_2}
   * @param bytes size of the decompressed body
   */
  void dealtWith(TenantId organization, String protocol, long bytes, IngestOutcome outcome);
}
