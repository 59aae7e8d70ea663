package io.tidemark.platform.metricstore;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the store says of one bucket and group.
 *
 * @param bucket its start; for granularity ALL some time that says nothing
 * @param labels one per group_by label, in that order; null where the series has no such label;
 *     rows of a group may share the list, which nobody changes
 * @param series empty when the row is not about one
 */
public record StoreRow(
    Instant bucket,
    List<@Nullable String> labels,
    @Nullable String series,
    AggregateState figures) {}
