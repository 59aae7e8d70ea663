package io.tidemark.flink.model.tenant;

import io.tidemark.flink.model.budget.TenantLimits;

/**
 * One environment, as its control record says.
 *
 * @param isDeleted whether its batches are refused
 * @param limits its budgets, plan defaults filled in
 * @param retention how long its data are kept, plan defaults filled in
 * @param version of the record; counts up
 */
public record TenantStanding(
    boolean isDeleted, TenantLimits limits, RetentionInForce retention, long version) {}
