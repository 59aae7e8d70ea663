package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;

/**
 * One dead letter.
 *
 * @param batchId 64 hexadecimal digits
 * @param copy the record it is about
 * @param reason of the vocabulary
 * @param points concerned; 0 when that is not known
 * @param letter where it is in its own topic
 */
public record DeadLetterRef(
    TenantId organization,
    EnvironmentId environment,
    String batchId,
    SourcePosition copy,
    Instant receivedAt,
    String reason,
    long points,
    SourcePosition letter) {

  /** Where a record is. */
  public record SourcePosition(String topic, int partition, long offset) {}
}
