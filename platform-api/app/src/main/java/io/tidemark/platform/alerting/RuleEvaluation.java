package io.tidemark.platform.alerting;

import java.time.Instant;

/**
 * How far the alert job has decided a rule.
 *
 * @param ruleVersion newest one that the job knows
 * @param decidedUntil minutes that end at or before it are decided
 * @param groups that were decided in the last of them
 * @param behind whether rows of the organisation are behind those of others
 */
public record RuleEvaluation(long ruleVersion, Instant decidedUntil, long groups, boolean behind) {}
