package io.tidemark.flink.io.usage;

/**
 * What a subtask counted of a subject and hour, as key and value of its record; see {@link
 * IncrementCodec}.
 *
 * @param subject the key
 * @param increment the value
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record EncodedIncrement(byte[] subject, byte[] increment) {}
