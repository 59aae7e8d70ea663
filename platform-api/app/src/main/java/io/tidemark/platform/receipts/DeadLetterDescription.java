package io.tidemark.platform.receipts;

import java.time.Instant;

/**
 * One letter with what was found and the points concerned.
 *
 * @param stage the step that gave up
 * @param points 0 when that is not known
 * @param originalSize bytes of the batch as it was stored
 */
public record DeadLetterDescription(
    DeadLetterId id,
    String batchId,
    String reason,
    String stage,
    String detail,
    long points,
    Instant receivedAt,
    long originalSize,
    Sample sample) {

  /**
   * What can be shown of the input.
   *
   * @param form {@code otlp_json} or {@code hex}
   * @param isCut whether there is more
   */
  public record Sample(String form, String text, boolean isCut) {}
}
