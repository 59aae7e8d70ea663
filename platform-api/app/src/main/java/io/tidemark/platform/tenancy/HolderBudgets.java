package io.tidemark.platform.tenancy;

import java.time.Instant;

/**
 * The budgets of an organisation or an environment.
 *
 * @param set by its own people; null where nothing is
 * @param inForce what is set, else what stands above it; never null
 * @param maximum the maxima that can be set
 * @param version counts up with every change; 1 is the first
 */
public record HolderBudgets(
    Budgets set, Budgets inForce, Budgets maximum, long version, Instant updatedAt) {}
