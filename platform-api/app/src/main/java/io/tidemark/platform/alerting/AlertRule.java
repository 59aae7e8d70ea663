package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;

/**
 * An alert rule.
 *
 * @param effectiveFrom minutes that begin at or after it are decided by this version
 */
public record AlertRule(
    String id,
    EnvironmentId environment,
    AlertRuleDefinition definition,
    long version,
    Instant effectiveFrom,
    Instant createdAt,
    Instant updatedAt) {}
