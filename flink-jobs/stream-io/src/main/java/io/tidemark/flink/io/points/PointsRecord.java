package io.tidemark.flink.io.points;

/**
 * One record of the points topic, undecoded. Header texts are as found, empty when missing; {@link
 * Envelope} says whether they are acceptable.
 *
 * @param topic source topic
 * @param partition source partition
 * @param offset source offset
 * @param organizationId header tidemark.organization_id
 * @param environmentId header tidemark.environment_id
 * @param batchId header tidemark.batch_id
 * @param receivedAt header tidemark.received_at_unix_ms, still text
 * @param eventTimeMs latest point time, at most the receive time; moves the watermark
 * @param value OTLP ExportMetricsServiceRequest; empty for a record without value
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record PointsRecord(
    String topic,
    int partition,
    long offset,
    String organizationId,
    String environmentId,
    String batchId,
    String receivedAt,
    long eventTimeMs,
    byte[] value) {}
