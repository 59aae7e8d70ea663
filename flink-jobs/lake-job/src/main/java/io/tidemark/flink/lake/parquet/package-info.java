/**
 * Parquet files, written column by column from columns that are already sorted and already know
 * their distinct values. The format is the standard one; only the writer is our own.
 */
@NullMarked
package io.tidemark.flink.lake.parquet;

import org.jspecify.annotations.NullMarked;
