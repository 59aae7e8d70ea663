package io.tidemark.platform.alerting;

import java.time.Instant;
import java.util.Map;

/**
 * The newest state of one group of a rule.
 *
 * @param state normal, pending, firing, no_data or blind
 * @param value null without one
 */
public record AlertGroup(
    String ruleId,
    String groupId,
    Map<String, String> labels,
    String state,
    Instant since,
    Instant decidedMinute,
    Double value,
    String reason) {}
