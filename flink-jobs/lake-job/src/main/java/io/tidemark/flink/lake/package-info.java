/**
 * The lake. Today only its tables: {@link io.tidemark.flink.lake.LakeTables} creates those that
 * infra/iceberg/tables.yaml describes. The job that writes them is not built yet.
 */
@NullMarked
package io.tidemark.flink.lake;

import org.jspecify.annotations.NullMarked;
