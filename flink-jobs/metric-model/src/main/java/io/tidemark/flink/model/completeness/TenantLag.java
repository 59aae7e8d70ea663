package io.tidemark.flink.model.completeness;

/**
 * A tenant whose points all come late, or one of which that is no longer so.
 *
 * @param organizationId tenant
 * @param completeUntil exclusive, event time, milliseconds since the Unix epoch; {@link
 *     Long#MAX_VALUE} when nothing is late
 */
public record TenantLag(String organizationId, long completeUntil) {

  /** A tenant that has sent something punctual. */
  public static TenantLag none(String organizationId) {
    return new TenantLag(organizationId, Long.MAX_VALUE);
  }

  /** Whether the tenant does not lag. */
  public boolean isNone() {
    return completeUntil == Long.MAX_VALUE;
  }
}
