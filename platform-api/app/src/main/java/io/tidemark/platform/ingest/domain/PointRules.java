package io.tidemark.platform.ingest.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What makes one point acceptable at the time of receiving. All times are nanoseconds since the
 * Unix epoch as OTLP sends them: unsigned, so a negative number is far in the future.
 */
public final class PointRules {

  /** How far ahead of the gateway a sender's clock may be. */
  public static final Duration MAX_CLOCK_LEAD = Duration.ofMinutes(10);

  /** A time before this is a unit error (seconds or milliseconds sent as nanoseconds). */
  private static final long YEAR_2000 =
      TimeUnit.SECONDS.toNanos(Instant.parse("2000-01-01T00:00:00Z").getEpochSecond());

  private static final long STALE_MARKER = 0x7ff0000000000002L;

  private final long latest;

  /** Rules for a batch received at the given time. */
  public PointRules(Instant receivedAt) {
    Instant limit = receivedAt.plus(MAX_CLOCK_LEAD);
    this.latest = TimeUnit.SECONDS.toNanos(limit.getEpochSecond()) + limit.getNano();
  }

  /** Checks the time of a point. */
  public Optional<RejectionReason> time(long unixNanos) {
    return unixNanos < YEAR_2000 || unixNanos > latest
        ? Optional.of(RejectionReason.TIMESTAMP_OUT_OF_RANGE)
        : Optional.empty();
  }

  /** Whether this is the one NaN by which Prometheus says that a series has ended. */
  public static boolean isStaleMarker(double value) {
    return Double.doubleToRawLongBits(value) == STALE_MARKER;
  }

  /** Checks a value. */
  public Optional<RejectionReason> finite(double value) {
    return Double.isFinite(value)
        ? Optional.empty()
        : Optional.of(RejectionReason.VALUE_NOT_FINITE);
  }

  /**
   * Checks that the parts of a histogram fit.
   *
   * @param count total number of observations, unsigned
   * @param countInBuckets sum of all bucket counts, including that of zero
   * @param buckets number of bucket counts
   * @param bounds number of bounds between buckets; one less than buckets, or both are 0
   */
  public Optional<RejectionReason> histogram(
      long count, long countInBuckets, int buckets, int bounds) {
    boolean withoutBuckets = buckets == 0 && bounds == 0;
    boolean fits =
        count >= 0 && (withoutBuckets || (buckets == bounds + 1 && countInBuckets == count));
    return fits ? Optional.empty() : Optional.of(RejectionReason.HISTOGRAM_INVALID);
  }
}
