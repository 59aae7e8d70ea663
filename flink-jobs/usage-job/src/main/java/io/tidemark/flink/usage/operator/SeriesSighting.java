package io.tidemark.flink.usage.operator;

import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;

/**
 * An increment that shows a series in an hour. Flat, as {@link UsageIncrement}.
 *
 * @param seriesId 32 hexadecimal digits
 * @param line number of the series within its record
 */
public record SeriesSighting(
    String organizationId,
    String environmentId,
    String resourceType,
    String resourceId,
    String metric,
    String seriesId,
    long hourUnixMs,
    String topic,
    int partition,
    long offset,
    int line) {

  UsageHour hour() {
    return new UsageHour(
        new UsageSubject(organizationId, environmentId, resourceType, resourceId, metric),
        hourUnixMs);
  }

  /** What state is kept by: the id names the series within its organisation and environment. */
  public String key() {
    return organizationId + "/" + environmentId + "/" + seriesId;
  }
}
