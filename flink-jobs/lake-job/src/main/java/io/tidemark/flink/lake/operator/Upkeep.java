package io.tidemark.flink.lake.operator;

import java.io.Serializable;
import java.time.Duration;

/**
 * How a table is kept in shape.
 *
 * @param interval between looks at the table
 * @param fewestFiles so many small files of a partition are merged, not fewer
 * @param maxRows of a merged file; files of at least half of it are left alone
 * @param keepSnapshots how long a snapshot, and the files that only it holds, can be read
 * @param orphanAge files that no snapshot holds are removed when they are older; longer than the
 *     longest stop of the job, whose state may still hold them
 */
public record Upkeep(
    Duration interval, int fewestFiles, int maxRows, Duration keepSnapshots, Duration orphanAge)
    implements Serializable {}
