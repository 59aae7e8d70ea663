package io.tidemark.platform.dashboards;

import io.tidemark.platform.audit.Actor;
import org.jspecify.annotations.Nullable;

/**
 * Who made a version.
 *
 * @param kind {@code person} or {@code api_key}
 */
public record DashboardAuthor(String kind, @Nullable String id) {

  static DashboardAuthor of(Actor actor) {
    return new DashboardAuthor(actor.kind(), actor.id());
  }
}
