package io.tidemark.platform.dashboards;

import java.time.Instant;

/**
 * What a list shows of a dashboard.
 *
 * @param description null when there is none
 * @param resourceType null for one of the whole environment
 */
public record DashboardSummary(
    String id,
    long version,
    String title,
    String description,
    String resourceType,
    int panelCount,
    DashboardAuthor createdBy,
    Instant createdAt,
    DashboardAuthor updatedBy,
    Instant updatedAt) {}
