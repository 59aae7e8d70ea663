package io.tidemark.platform.notification;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One message to one integration.
 *
 * @param orderKey messages with the same are delivered in their order
 * @param messageId the header webhook-id, the same in every attempt
 * @param state waiting, delivered or failed
 * @param endedAt when it was delivered or given up; null while it waits
 */
public record Delivery(
    String id,
    long number,
    String integrationId,
    String orderKey,
    String messageId,
    String type,
    @Nullable String incidentId,
    @Nullable String transitionId,
    String body,
    String state,
    Instant createdAt,
    Instant nextAttemptAt,
    int attemptCount,
    @Nullable Instant endedAt) {}
