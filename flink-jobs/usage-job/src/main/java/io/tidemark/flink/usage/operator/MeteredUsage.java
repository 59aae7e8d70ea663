package io.tidemark.flink.usage.operator;

/**
 * A usage record before it is encoded.
 *
 * @param recordId 64 hexadecimal digits
 * @param increment what it holds
 * @param meteredAtUnixMs when it was made
 */
public record MeteredUsage(String recordId, UsageIncrement increment, long meteredAtUnixMs) {}
