package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;

/**
 * An alert rule.
 *
 * @param effectiveFrom minutes that begin at or after it are decided by this version
 * @param enabledFrom the first minute since the rule was made or enabled; what it decided before
 *     does not go on
 */
public record AlertRule(
    String id,
    EnvironmentId environment,
    AlertRuleDefinition definition,
    long version,
    Instant effectiveFrom,
    Instant enabledFrom,
    Instant createdAt,
    Instant updatedAt) {}
