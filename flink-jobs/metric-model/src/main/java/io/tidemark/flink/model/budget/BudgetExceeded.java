package io.tidemark.flink.model.budget;

/**
 * Violations of one budget by one metric that a subtask has counted since its last report.
 *
 * @param organizationId the tenant
 * @param environmentId its environment
 * @param metric whose series were folded
 * @param budget exceeded
 * @param limit in force
 * @param observed largest value held against the limit
 * @param foldedSeries how often a series was folded
 * @param observedAtUnixMs when this was told
 */
public record BudgetExceeded(
    String organizationId,
    String environmentId,
    String metric,
    Budget budget,
    long limit,
    long observed,
    long foldedSeries,
    long observedAtUnixMs) {}
