package io.tidemark.flink.model.batch;

import java.io.Serializable;
import java.time.Duration;

/**
 * Which batches are resends, and how long that is remembered. Receive times decide, so a job that
 * was down for hours and catches up decides as it would have done live.
 *
 * @param horizon a batch received at most this long after its first receipt is a resend
 * @param longestMemory when a receipt is forgotten even if the stream has not been read so far
 */
public record ResendRule(Duration horizon, Duration longestMemory) implements Serializable {

  public static final ResendRule DEFAULT =
      new ResendRule(Duration.ofHours(1), Duration.ofHours(24));

  /** Whether a batch with the same bytes, received now, was counted already. */
  public boolean isResend(FirstReceipt first, long receivedAtUnixMs) {
    return receivedAtUnixMs - first.receivedAtUnixMs() <= horizon.toMillis();
  }

  /**
   * Whether no resend can follow: the horizon has passed on the wall clock and in what was read.
   *
   * @param watermark how far the stream was read, milliseconds since the Unix epoch
   * @param processingTime now
   */
  public boolean isForgettable(FirstReceipt first, long watermark, long processingTime) {
    long age = processingTime - first.processedAtUnixMs();
    if (age < horizon.toMillis()) {
      return false;
    }
    boolean readPastHorizon = watermark > first.receivedAtUnixMs() + horizon.toMillis();
    return readPastHorizon || age >= longestMemory.toMillis();
  }

  /** When to ask {@link #isForgettable} next, processing time. */
  public long nextLook(long processingTime) {
    return processingTime + horizon.toMillis();
  }
}
