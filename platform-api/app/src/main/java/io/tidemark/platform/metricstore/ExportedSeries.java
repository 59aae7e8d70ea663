package io.tidemark.platform.metricstore;

import java.util.Map;

/**
 * One row of an export.
 *
 * @param labels by key as queries name it
 */
public record ExportedSeries(
    String metric,
    MetricKind kind,
    String resourceId,
    Map<String, String> labels,
    AggregateState figures) {

  public ExportedSeries {
    labels = Map.copyOf(labels);
  }
}
