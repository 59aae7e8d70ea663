package io.tidemark.platform.receipts;

import java.time.Instant;

/**
 * What was set aside of a batch for one reason.
 *
 * @param id of the newest letter
 * @param points 0 when that is not known
 */
public record DeadLetterSummary(
    DeadLetterId id, String batchId, String reason, long points, Instant receivedAt) {}
