package io.tidemark.platform.quotas;

/**
 * What may be sent in a second; each at least 1.
 *
 * @param bytes of bodies as they come, compressed
 * @param points accepted ones
 */
public record QuotaAmounts(long requests, long bytes, long points) {

  public QuotaAmounts {
    if (requests < 1 || bytes < 1 || points < 1) {
      throw new IllegalArgumentException("Quotas are at least 1 in a second");
    }
  }
}
