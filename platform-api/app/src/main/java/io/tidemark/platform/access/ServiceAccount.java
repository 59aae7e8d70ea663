package io.tidemark.platform.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A machine that owns keys.
 *
 * @param role wire name of its role; its keys may do no more
 * @param version counts up with every change; 1 is the first
 */
public record ServiceAccount(
    String id,
    String displayName,
    @Nullable String role,
    long version,
    Instant createdAt,
    Instant updatedAt) {}
