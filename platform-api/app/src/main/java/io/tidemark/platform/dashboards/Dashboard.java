package io.tidemark.platform.dashboards;

import java.time.Instant;

/** A dashboard as it is now. */
public record Dashboard(
    String id,
    DashboardDefinition definition,
    long version,
    DashboardAuthor createdBy,
    Instant createdAt,
    DashboardAuthor updatedBy,
    Instant updatedAt) {

  /** What the audit log holds of it; the panels are in its versions. */
  record Outline(String title, long version, int panels) {}

  Outline outline() {
    return new Outline(definition.title(), version, definition.panels().size());
  }
}
