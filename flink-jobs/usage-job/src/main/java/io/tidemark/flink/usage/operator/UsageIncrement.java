package io.tidemark.flink.usage.operator;

import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.List;

/**
 * Units of an hour, of one or more batches. Flat, so that it travels and is stored without names of
 * classes.
 *
 * @param partition of the first batch that it holds
 * @param offset of the same
 */
public record UsageIncrement(
    String organizationId,
    String environmentId,
    String resourceType,
    String resourceId,
    String metric,
    long hourUnixMs,
    int partition,
    long offset,
    long points,
    long bytes,
    long pointsSetAside,
    long pointsWithoutValue) {

  static UsageIncrement of(UsageHour hour, int partition, long offset, MeteredUnits units) {
    UsageSubject subject = hour.subject();
    return new UsageIncrement(
        subject.organizationId(),
        subject.environmentId(),
        subject.resourceType(),
        subject.resourceId(),
        subject.metric(),
        hour.startUnixMs(),
        partition,
        offset,
        units.points(),
        units.bytes(),
        units.pointsSetAside(),
        units.pointsWithoutValue());
  }

  public UsageHour hour() {
    return new UsageHour(
        new UsageSubject(organizationId, environmentId, resourceType, resourceId, metric),
        hourUnixMs);
  }

  public MeteredUnits units() {
    return new MeteredUnits(points, bytes, pointsSetAside, pointsWithoutValue);
  }

  /** What state is kept by: one for every hour of every subject. */
  public String key() {
    StringBuilder key = new StringBuilder().append(hourUnixMs);
    for (String text : List.of(organizationId, environmentId, resourceType, resourceId, metric)) {
      // Lengths keep texts apart, whatever characters they hold.
      key.append('/').append(text.length()).append(':').append(text);
    }
    return key.toString();
  }
}
