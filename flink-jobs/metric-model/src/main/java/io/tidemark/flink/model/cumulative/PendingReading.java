package io.tidemark.flink.model.cumulative;

import io.tidemark.flink.model.point.SourcePosition;

/**
 * A reading that waits for its turn in event order. State of the rollup job.
 *
 * @param reading the total as sent
 * @param position where it was read
 */
public record PendingReading(CumulativeReading reading, SourcePosition position) {}
