package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tenant.
 *
 * @param deleteAfter when its deletion becomes final; null unless it is being deleted
 * @param version counts up with every change; 1 is the first
 */
public record Organization(
    TenantId id,
    String displayName,
    LifecycleState state,
    @Nullable Instant deleteAfter,
    long version,
    Instant createdAt,
    Instant updatedAt) {

  Organization renamed(String name, Instant now) {
    return new Organization(id, name, state, deleteAfter, version + 1, createdAt, now);
  }

  Organization in(LifecycleState newState, @Nullable Instant newDeleteAfter, Instant now) {
    return new Organization(id, displayName, newState, newDeleteAfter, version + 1, createdAt, now);
  }
}
