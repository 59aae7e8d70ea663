package io.tidemark.platform.ingest.domain;

/**
 * The quotas of one tenant on one gateway; each at least 1.
 *
 * @param bytes of bodies as they come, compressed
 */
public record QuotaLimits(long requests, long bytes, long points) {

  public QuotaLimits {
    if (requests < 1 || bytes < 1 || points < 1) {
      throw new IllegalArgumentException("Quotas are at least 1 in a second");
    }
  }

  /** The limit of one quota, for a second. */
  public long of(Quota quota) {
    return switch (quota) {
      case REQUESTS -> requests;
      case BYTES -> bytes;
      case POINTS -> points;
    };
  }
}
