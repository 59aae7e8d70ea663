package io.tidemark.platform.testing;

import io.tidemark.platform.metricstore.ExportedSeries;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The same metrics, with the same labels, of every organisation, and one with the organisation's
 * name.
 */
public record TestingSeries(List<StoredMetric> metrics, Set<String> labels) implements SeriesStore {

  @Override
  public List<StoredMetric> metrics(QueryScope readable, Duration back) {
    List<StoredMetric> all = new ArrayList<>(metrics);
    all.add(new StoredMetric("of." + readable.organization().value(), "gauge", "1", "kafka"));
    return all;
  }

  @Override
  public Map<String, Set<String>> labelsByMetric(QueryScope readable, Duration back) {
    Map<String, Set<String>> all = new HashMap<>();
    metrics.forEach(metric -> all.put(metric.name(), labels));
    return all;
  }

  @Override
  public Map<String, Set<String>> labelsByResourceType(QueryScope readable, Duration back) {
    return Map.of();
  }

  @Override
  public List<StoredResource> resources(QueryScope readable, Duration back, ResourceFilter filter) {
    return List.of();
  }

  @Override
  public List<ExportedSeries> minute(QueryScope readable, ExportRequest request) {
    return List.of();
  }
}
