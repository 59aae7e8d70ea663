package io.tidemark.flink.io.usage;

import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import java.util.List;

/**
 * What a subtask counted of a subject and hour.
 *
 * @param points points and bytes of batches
 * @param rows rows of rollups
 * @param series ids of the series that rows show, 32 hexadecimal digits each
 */
public record CountedIncrement(
    UsageHour hour, MeteredUnits points, MeteredUnits rows, List<String> series) {}
