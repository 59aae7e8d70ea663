package io.tidemark.platform.ingest.domain;

import org.jspecify.annotations.Nullable;

/**
 * What a sender may use.
 *
 * @param organization for all environments of the organisation together
 * @param environment for the sender's environment; null when it has no limits of its own
 */
public record Allowance(QuotaLimits organization, @Nullable QuotaLimits environment) {}
