package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time in which nobody is told of some incidents.
 *
 * @param number place in lists, the newest greatest
 */
public record Silence(
    String id,
    EnvironmentId environment,
    long number,
    SilenceDefinition definition,
    @Nullable String createdBy,
    long version,
    Instant createdAt,
    Instant updatedAt) {}
