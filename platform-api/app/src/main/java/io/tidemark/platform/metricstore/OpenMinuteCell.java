package io.tidemark.platform.metricstore;

import java.util.Map;

/**
 * What is shown of one series in one open minute; stands for all of its rows.
 *
 * @param minute its start, milliseconds since the epoch
 * @param series as the column {@code series_id}
 * @param labels by key as queries name it
 */
public record OpenMinuteCell(
    long minute, String series, Map<String, String> labels, AggregateState figures) {}
