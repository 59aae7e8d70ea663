package io.tidemark.platform.notification;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where messages go.
 *
 * @param oldSecretUntil null when one secret is in use
 * @param disabledReason why deliveries stopped by themselves; null while they do not
 * @param failingSince null when the last delivery succeeded
 * @param failures deliveries that failed since
 */
@SuppressWarnings("ArrayRecordComponent") // Sealed secrets; never compared.
public record Integration(
    String id,
    EnvironmentId environment,
    IntegrationDefinition definition,
    byte[] secret,
    byte @Nullable [] oldSecret,
    @Nullable Instant oldSecretUntil,
    byte @Nullable [] routingKey,
    @Nullable String disabledReason,
    @Nullable Instant failingSince,
    int failures,
    @Nullable Instant pausedUntil,
    long version,
    Instant createdAt,
    Instant updatedAt) {

  boolean isDelivering(Instant now) {
    return definition.enabled()
        && disabledReason == null
        && (pausedUntil == null || !pausedUntil.isAfter(now));
  }
}
