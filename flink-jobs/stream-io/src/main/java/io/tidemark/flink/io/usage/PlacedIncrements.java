package io.tidemark.flink.io.usage;

/**
 * A record of the topic of increments and where it stands.
 *
 * @param increments the value; {@link CountedIncrement} reads it
 * @param topic of the record
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record PlacedIncrements(byte[] increments, String topic, int partition, long offset) {}
