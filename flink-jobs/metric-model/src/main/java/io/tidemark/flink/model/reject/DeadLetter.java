package io.tidemark.flink.model.reject;

import java.util.Arrays;

/**
 * Input that was accepted by the gateway and cannot be processed further.
 *
 * @param reason why
 * @param detail one English sentence for an operator; no secrets
 * @param organizationId tenant; empty when unknown
 * @param environmentId environment; empty when unknown
 * @param batchId 64 hexadecimal digits; empty when unknown
 * @param sourceTopic topic the input was read from
 * @param sourcePartition its partition
 * @param sourceOffset its offset
 * @param receivedAtUnixMs when the gateway received it; 0 when unknown
 * @param original the bytes, at most {@link #ORIGINAL_LIMIT}
 * @param originalSize their length before they were cut
 * @param pointCount points concerned; 0 when that cannot be known
 * @param stage the step that gave up, lower-kebab-case
 * @param pointIndexes places of the points in the source record; empty when all of it is concerned
 *     or the original was cut
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators; never compared.
public record DeadLetter(
    RejectionReason reason,
    String detail,
    String organizationId,
    String environmentId,
    String batchId,
    String sourceTopic,
    int sourcePartition,
    long sourceOffset,
    long receivedAtUnixMs,
    byte[] original,
    long originalSize,
    long pointCount,
    String stage,
    int[] pointIndexes) {

  public static final int ORIGINAL_LIMIT = 1_048_576;
  private static final int DETAIL_LIMIT = 2_000;

  private static final int[] ALL = new int[0];

  public DeadLetter {
    if (original.length > ORIGINAL_LIMIT) {
      original = Arrays.copyOf(original, ORIGINAL_LIMIT);
      pointIndexes = ALL;
    }
    if (detail.length() > DETAIL_LIMIT) {
      detail = detail.substring(0, DETAIL_LIMIT);
    }
  }

  /** A record that is concerned as a whole. */
  public DeadLetter(
      RejectionReason reason,
      String detail,
      String organizationId,
      String environmentId,
      String batchId,
      String sourceTopic,
      int sourcePartition,
      long sourceOffset,
      long receivedAtUnixMs,
      byte[] original,
      long originalSize,
      long pointCount,
      String stage) {
    this(
        reason,
        detail,
        organizationId,
        environmentId,
        batchId,
        sourceTopic,
        sourcePartition,
        sourceOffset,
        receivedAtUnixMs,
        original,
        originalSize,
        pointCount,
        stage,
        ALL);
  }

  /** The same letter about some points of the record. */
  public DeadLetter ofPoints(int... places) {
    return new DeadLetter(
        reason,
        detail,
        organizationId,
        environmentId,
        batchId,
        sourceTopic,
        sourcePartition,
        sourceOffset,
        receivedAtUnixMs,
        original,
        originalSize,
        pointCount,
        stage,
        originalSize > ORIGINAL_LIMIT ? ALL : places);
  }
}
