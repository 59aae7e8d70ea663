package io.tidemark.flink.model.completeness;

/**
 * A tenant whose points all come late.
 *
 * @param organizationId tenant
 * @param completeUntil exclusive, event time, milliseconds since the Unix epoch
 */
public record TenantLag(String organizationId, long completeUntil) {}
