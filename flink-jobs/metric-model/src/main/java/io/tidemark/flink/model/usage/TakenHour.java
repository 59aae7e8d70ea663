package io.tidemark.flink.model.usage;

/**
 * A usage record of the rollup job before it is encoded.
 *
 * @param recordId 64 hexadecimal digits
 * @param taken what it holds
 * @param meteredAtUnixMs when it was made
 */
public record TakenHour(String recordId, TakenPoints taken, long meteredAtUnixMs) {}
