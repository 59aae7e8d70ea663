package io.tidemark.platform.alerting;

import java.time.Instant;

/**
 * A transition as it was written down.
 *
 * @param place where the stream goes on after it
 */
public record RecordedTransition(AlertTransition transition, Instant recordedAt, String place) {}
