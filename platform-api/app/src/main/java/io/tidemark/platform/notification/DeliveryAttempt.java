package io.tidemark.platform.notification;

import java.time.Instant;

/**
 * One attempt.
 *
 * @param status null when there was no answer
 * @param error null when the message was taken
 * @param answer the beginning of the answer; null without one
 */
public record DeliveryAttempt(
    Instant at, long durationMs, Integer status, String error, String answer) {}
