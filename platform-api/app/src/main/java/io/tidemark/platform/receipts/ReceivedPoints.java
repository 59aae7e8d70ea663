package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;

/**
 * Points that the gateway acknowledged and that count.
 *
 * @param hour start of the hour in which their batches were received
 */
public record ReceivedPoints(Instant hour, EnvironmentId environment, long points) {}
