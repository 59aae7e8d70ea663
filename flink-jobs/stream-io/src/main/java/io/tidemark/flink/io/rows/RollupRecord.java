package io.tidemark.flink.io.rows;

/**
 * A record of a rollup topic, with its position in it.
 *
 * @param partition source partition
 * @param offset source offset
 * @param rows newline-delimited
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record RollupRecord(int partition, long offset, byte[] rows) {}
