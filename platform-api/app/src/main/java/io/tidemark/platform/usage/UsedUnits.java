package io.tidemark.platform.usage;

import java.math.BigDecimal;

/**
 * Units of a meter that something used. Texts are empty, never null, where use belongs to none.
 *
 * @param meter of vocabulary/meters.yaml
 * @param units whole; none when they are not positive
 */
public record UsedUnits(
    String environment,
    String resourceType,
    String resourceId,
    String metric,
    String meter,
    BigDecimal units) {

  public UsedUnits {
    // PostgreSQL takes no null character in a text.
    environment = environment.replace('\0', '\uFFFD');
    resourceType = resourceType.replace('\0', '\uFFFD');
    resourceId = resourceId.replace('\0', '\uFFFD');
    metric = metric.replace('\0', '\uFFFD');
  }

  /** Of a number that fits. */
  public UsedUnits(
      String environment,
      String resourceType,
      String resourceId,
      String metric,
      String meter,
      long units) {
    this(environment, resourceType, resourceId, metric, meter, BigDecimal.valueOf(units));
  }

  Subject subject() {
    return new Subject(environment, resourceType, resourceId, metric, meter);
  }

  /** What a tally is of, within an hour. */
  record Subject(
      String environment, String resourceType, String resourceId, String metric, String meter) {}
}
