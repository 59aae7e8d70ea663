package io.tidemark.flink.io.admission;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.budget.TenantLimits;

/**
 * A batch that counts.
 *
 * @param record as read
 * @param limits of its environment, in force when it was let in
 * @param longestAgeMs how old its points may be, measured from its receipt
 */
public record AdmittedBatch(PointsRecord record, TenantLimits limits, long longestAgeMs) {}
