package io.tidemark.flink.io.rows;

/**
 * A record of a rollup topic, or the statement that rows of its partition are complete.
 *
 * @param rows newline-delimited; empty for a statement
 * @param isDetail of split metrics at full detail
 * @param completeUntil every row of the partition whose window ends at or before it was read;
 *     exclusive, milliseconds since the Unix epoch; 0 when this says nothing of it
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record RowBundle(byte[] rows, boolean isDetail, long completeUntil) {}
