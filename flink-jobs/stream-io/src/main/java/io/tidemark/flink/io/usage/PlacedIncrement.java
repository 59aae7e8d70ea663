package io.tidemark.flink.io.usage;

/**
 * A record of the topic of increments and where it stands.
 *
 * @param increment the value; {@link IncrementCodec} reads it
 * @param topic of the record
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record PlacedIncrement(byte[] increment, String topic, int partition, long offset) {}
