package io.tidemark.platform.billing;

import java.time.Instant;

/**
 * Which usage is asked for; null filters nothing.
 *
 * @param by what sums are of
 */
public record UsageQuery(
    String meter,
    Instant from,
    Instant to,
    Group by,
    String environment,
    String resourceType,
    String resourceId,
    String metric) {

  /** What sums are of. */
  public enum Group {
    ENVIRONMENT,
    RESOURCE,
    METRIC,
    DAY,
    HOUR
  }
}
