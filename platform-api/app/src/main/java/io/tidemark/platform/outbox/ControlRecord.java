package io.tidemark.platform.outbox;

/**
 * What a compacted topic says of a key.
 *
 * @param value protobuf bytes; null when nothing is said of the key any more
 * @param version counts up with every change of the record; 0 for records that are not kept
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record ControlRecord(String topic, String key, byte[] value, long version) {}
