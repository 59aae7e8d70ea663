package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a batch.
 *
 * @param idempotencyKey null for none
 * @param receivedAt of the first copy
 * @param acceptedPoints that count
 * @param timesCounted of copies that counted
 * @param duplicates copies that did not, because one had counted within the hour before
 * @param lastDuplicateAt null without
 * @param others other batches that came with the same Idempotency-Key
 */
public record Receipt(
    String batchId,
    @Nullable String idempotencyKey,
    EnvironmentId environment,
    Instant receivedAt,
    long acceptedPoints,
    List<Rejected> rejected,
    int timesCounted,
    int duplicates,
    @Nullable Instant lastDuplicateAt,
    List<String> others) {

  /**
   * Points that do not count.
   *
   * @param byGateway whether the sender was told so in its answer
   */
  public record Rejected(String reason, long points, boolean byGateway) {}
}
