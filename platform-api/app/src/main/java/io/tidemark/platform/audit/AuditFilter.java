package io.tidemark.platform.audit;

import java.time.Instant;

/** Which entries are wanted; null does not restrict. */
public record AuditFilter(
    String action, String actorId, String objectId, Instant since, Instant until) {}
