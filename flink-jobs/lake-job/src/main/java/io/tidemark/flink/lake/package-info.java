/**
 * The lake: its tables, created by {@link io.tidemark.flink.lake.LakeTables} as
 * infra/iceberg/tables.yaml describes them, and the job that writes them, {@link
 * io.tidemark.flink.lake.LakeJob}.
 */
@NullMarked
package io.tidemark.flink.lake;

import org.jspecify.annotations.NullMarked;
