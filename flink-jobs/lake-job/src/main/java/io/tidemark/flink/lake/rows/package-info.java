/**
 * Rows of the lake's tables on their way to a file: collected in columns, sorted by tenant, metric,
 * series and time, split into partitions.
 */
@NullMarked
package io.tidemark.flink.lake.rows;

import org.jspecify.annotations.NullMarked;
