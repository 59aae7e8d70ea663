package io.tidemark.platform.notification;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt.
 *
 * @param request null when nothing could be sent, and of attempts before it was written down
 * @param status null when there was no answer
 * @param error null when the message was taken
 * @param answer the beginning of the answer; null without one
 */
public record DeliveryAttempt(
    Instant at,
    long durationMs,
    @Nullable SentRequest request,
    @Nullable Integer status,
    @Nullable String error,
    @Nullable String answer) {}
