package io.tidemark.flink.io.live;

/**
 * A record of the live topic.
 *
 * @param keyGroup the record's key: keeps the order of a key group
 * @param snapshot events/tidemark/live/v1/snapshot.proto
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record LiveRecord(int keyGroup, byte[] snapshot) {}
