package io.tidemark.platform.notification;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One transition, or a message about something else, that one integration is told of.
 *
 * @param orderKey those with the same are delivered in their order
 * @param messageId the header webhook-id, the same in every attempt
 * @param group what those that may share its message have in common; null when it goes by itself
 * @param line what a message of several says of it; null when it goes by itself
 * @param carriedIn the message that it shares; null before the first attempt of one
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
    @Nullable Instant endedAt,
    @Nullable String group,
    @Nullable String line,
    @Nullable String carriedIn) {}
