package io.tidemark.flink.rollup.cardinality;

/**
 * What one subtask met of one metric in one hour.
 *
 * @param metricKey organisation, environment and metric
 * @param organizationId the tenant
 * @param environmentId its environment
 * @param metric as sent
 * @param series sketch of its series
 * @param labels names of its point attributes
 * @param values sketches of their values, in the same order
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record MetricSketch(
    String metricKey,
    String organizationId,
    String environmentId,
    String metric,
    byte[] series,
    String[] labels,
    byte[][] values) {}
