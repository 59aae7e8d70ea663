package io.tidemark.flink.usage.operator;

import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageOrigin;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.List;

/**
 * Units of an hour, of one or more increments or series. Flat, so that it travels and is stored
 * without names of classes.
 *
 * @param origin name of a {@link UsageOrigin}
 * @param topic of the increments
 * @param partition of the first increment that it holds
 * @param offset of the same
 * @param line number of the increment or series within its record
 */
public record UsageIncrement(
    String organizationId,
    String environmentId,
    String resourceType,
    String resourceId,
    String metric,
    long hourUnixMs,
    String origin,
    String topic,
    int partition,
    long offset,
    int line,
    long points,
    long bytes,
    long pointsSetAside,
    long pointsWithoutValue,
    long activeSeries,
    long newSeries,
    long rowsOfMinutes,
    long rowsInDetail,
    long rowsOfHours,
    long rowsOfDays) {

  /** Where units were read first. */
  record Place(UsageOrigin origin, String topic, int partition, long offset, int line) {}

  static UsageIncrement of(UsageHour hour, Place place, MeteredUnits units) {
    UsageSubject subject = hour.subject();
    return new UsageIncrement(
        subject.organizationId(),
        subject.environmentId(),
        subject.resourceType(),
        subject.resourceId(),
        subject.metric(),
        hour.startUnixMs(),
        place.origin().name(),
        place.topic(),
        place.partition(),
        place.offset(),
        place.line(),
        units.points(),
        units.bytes(),
        units.pointsSetAside(),
        units.pointsWithoutValue(),
        units.activeSeries(),
        units.newSeries(),
        units.rowsOfMinutes(),
        units.rowsInDetail(),
        units.rowsOfHours(),
        units.rowsOfDays());
  }

  public UsageHour hour() {
    return new UsageHour(
        new UsageSubject(organizationId, environmentId, resourceType, resourceId, metric),
        hourUnixMs);
  }

  Place place() {
    return new Place(UsageOrigin.valueOf(origin), topic, partition, offset, line);
  }

  public MeteredUnits units() {
    return new MeteredUnits(
        points,
        bytes,
        pointsSetAside,
        pointsWithoutValue,
        activeSeries,
        newSeries,
        rowsOfMinutes,
        rowsInDetail,
        rowsOfHours,
        rowsOfDays);
  }

  /** What state is kept by: one for every hour of every subject and origin. */
  public String key() {
    StringBuilder key = new StringBuilder().append(hourUnixMs);
    for (String text : List.of(organizationId, environmentId, resourceType, resourceId, metric)) {
      // Lengths keep texts apart, whatever characters they hold.
      key.append('/').append(text.length()).append(':').append(text);
    }
    return origin.equals(UsageOrigin.POINTS.name())
        ? key.toString()
        : key.append('/').append(origin).append('/').append(topic).toString();
  }
}
