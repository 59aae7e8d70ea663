package io.tidemark.platform.testing;

import io.tidemark.platform.query.application.ReadSeries;
import io.tidemark.platform.query.domain.ExportedSeries;
import io.tidemark.platform.shared.TenantId;
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
public record TestingSeries(List<SeenMetric> metrics, Set<String> labels) implements ReadSeries {

  @Override
  public List<SeenMetric> metrics(TenantId organization, Duration back) {
    List<SeenMetric> all = new ArrayList<>(metrics);
    all.add(new SeenMetric("of." + organization.value(), "gauge", "1", "kafka"));
    return all;
  }

  @Override
  public Map<String, Set<String>> labelsByMetric(TenantId organization, Duration back) {
    Map<String, Set<String>> all = new HashMap<>();
    metrics.forEach(metric -> all.put(metric.name(), labels));
    return all;
  }

  @Override
  public Map<String, Set<String>> labelsByResourceType(TenantId organization, Duration back) {
    return Map.of();
  }

  @Override
  public List<SeenResource> resources(TenantId organization, Duration back, ResourceFilter filter) {
    return List.of();
  }

  @Override
  public List<ExportedSeries> minute(TenantId organization, ExportRequest request) {
    return List.of();
  }
}
