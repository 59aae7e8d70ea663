package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;

/**
 * A tenant.
 *
 * @param version counts up with every change; 1 is the first
 */
public record Organization(
    TenantId id, String displayName, long version, Instant createdAt, Instant updatedAt) {}
