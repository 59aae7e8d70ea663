package io.tidemark.flink.lake.rows;

import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.Map;

/**
 * What all rows of a series have in common; the first columns of every table.
 *
 * @param seriesId 32 hexadecimal digits
 * @param resource resource attributes as text
 * @param attributes point attributes as text
 */
public record LakeSeries(
    String organizationId,
    String environmentId,
    String metric,
    String metricType,
    String unit,
    String resourceType,
    String resourceId,
    String seriesId,
    Map<String, String> resource,
    Map<String, String> attributes) {

  static LakeSeries of(SeriesKey key, SeriesDescriptor series) {
    return new LakeSeries(
        series.organizationId(),
        series.environmentId(),
        series.metric(),
        series.kind().wireName(),
        series.unit(),
        series.resourceType(),
        series.resourceId(),
        key.hex(),
        series.resource(),
        series.attributes());
  }
}
