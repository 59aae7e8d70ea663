package io.tidemark.flink.model.budget;

/**
 * What one subtask saw of one budget and metric since it last told.
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
