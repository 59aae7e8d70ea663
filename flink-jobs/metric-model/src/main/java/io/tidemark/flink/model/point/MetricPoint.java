package io.tidemark.flink.model.point;

import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import org.jspecify.annotations.Nullable;

/**
 * One decoded, validated point. Exactly one of {@code contribution} and {@code cumulative} is set.
 *
 * @param key identity of {@code series}
 * @param series what the point belongs to
 * @param timeUnixNano when it was measured, nanoseconds since the Unix epoch
 * @param position where it was read
 * @param contribution what the point adds to its minute
 * @param cumulative a running total that still has to become a contribution
 */
public record MetricPoint(
    SeriesKey key,
    SeriesDescriptor series,
    long timeUnixNano,
    SourcePosition position,
    @Nullable Contribution contribution,
    @Nullable CumulativeReading cumulative) {}
