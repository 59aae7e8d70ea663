package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One record of the points topic.
 *
 * @param batchId 64 hexadecimal digits
 * @param idempotencyKey null for none
 * @param points that the record holds
 * @param rejected points that the gateway refused, by reason
 */
public record BatchCopy(
    TenantId organization,
    EnvironmentId environment,
    String batchId,
    @Nullable String idempotencyKey,
    int partition,
    long offset,
    Instant receivedAt,
    long points,
    Map<String, Long> rejected) {

  public BatchCopy {
    rejected = Map.copyOf(rejected);
  }
}
