package io.tidemark.platform.ingest.domain;

import java.time.Duration;

/**
 * The rate at which a request body has to arrive. A body that arrives more slowly is given up, so
 * that a sender that trickles holds neither memory nor a thread.
 *
 * @param grace during which any rate is enough
 * @param bytesPerSecond over the whole time, as the bytes come, compressed
 * @param deadline after which a body is given up at any rate
 */
public record ReceiveRate(Duration grace, long bytesPerSecond, Duration deadline) {

  /** For all ingest ports: the largest body needs 280 kB a second, a small one 8 KiB. */
  public static final ReceiveRate MINIMUM =
      new ReceiveRate(Duration.ofSeconds(5), 8 * 1024, Duration.ofSeconds(60));

  private static final double NANOS_PER_SECOND = 1e9;

  /** Whether a body of which so much has come in so long is to be given up. */
  public boolean isMissedBy(long bytes, long nanos) {
    if (nanos <= grace.toNanos()) {
      return false;
    }
    return nanos > deadline.toNanos() || bytes < bytesPerSecond * (nanos / NANOS_PER_SECOND);
  }
}
