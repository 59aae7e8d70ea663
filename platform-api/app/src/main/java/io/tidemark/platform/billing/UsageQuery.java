package io.tidemark.platform.billing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

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
    @Nullable String environment,
    @Nullable String resourceType,
    @Nullable String resourceId,
    @Nullable String metric) {

  /** What sums are of. */
  public enum Group {
    ENVIRONMENT,
    RESOURCE,
    METRIC,
    DAY,
    HOUR
  }
}
