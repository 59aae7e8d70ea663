package io.tidemark.platform.receipts;

import java.time.Instant;

/**
 * A batch as it was received.
 *
 * @param receivedAt of the first copy in the time that was asked for
 * @param points of one copy
 * @param countedPoints of the copies in that time that count
 */
public record ReceivedBatch(String batchId, Instant receivedAt, long points, long countedPoints) {}
