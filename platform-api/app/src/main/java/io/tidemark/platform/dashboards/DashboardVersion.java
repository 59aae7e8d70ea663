package io.tidemark.platform.dashboards;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A definition that a dashboard had.
 *
 * @param restoredFrom the version whose definition was taken again; null for a change
 */
public record DashboardVersion(
    long version,
    DashboardDefinition definition,
    DashboardAuthor changedBy,
    Instant changedAt,
    @Nullable Long restoredFrom) {}
