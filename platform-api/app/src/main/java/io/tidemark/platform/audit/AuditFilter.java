package io.tidemark.platform.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which entries are wanted; null does not restrict. */
public record AuditFilter(
    @Nullable String action,
    @Nullable String actorId,
    @Nullable String objectId,
    @Nullable Instant since,
    @Nullable Instant until) {}
