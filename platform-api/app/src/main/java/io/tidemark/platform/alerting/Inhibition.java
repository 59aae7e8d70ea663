package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;

/** Nobody is told of some incidents while another one is open. */
public record Inhibition(
    String id,
    EnvironmentId environment,
    InhibitionDefinition definition,
    long version,
    Instant createdAt,
    Instant updatedAt) {}
