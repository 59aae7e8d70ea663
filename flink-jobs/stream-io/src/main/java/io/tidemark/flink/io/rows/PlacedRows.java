package io.tidemark.flink.io.rows;

/**
 * A record of a rollup topic and where it stands.
 *
 * @param rows newline-delimited
 * @param topic of the record
 * @param appendedAtUnixMs when the broker appended it
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record PlacedRows(
    byte[] rows, String topic, int partition, long offset, long appendedAtUnixMs) {}
