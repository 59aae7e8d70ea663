package io.tidemark.flink.io.usage;

/**
 * What a subtask counted of an environment, as key and value of a record; see {@link
 * IncrementBundle}.
 *
 * @param environment the key
 * @param increments the value
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record EncodedIncrements(byte[] environment, byte[] increments) {}
