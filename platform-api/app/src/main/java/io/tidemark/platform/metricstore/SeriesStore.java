package io.tidemark.platform.metricstore;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Asks the store which series there are. All of what a caller may read. */
public interface SeriesStore {

  /** A metric as resources of one type send it; {@code type} as rows call it. */
  record StoredMetric(String name, String type, String unit, String resourceType) {}

  /** A resource. */
  record StoredResource(String type, String id) {}

  /** Which resources are wanted; empty components want all. */
  record ResourceFilter(
      Optional<String> environment, Optional<String> kafkaId, Optional<String> type) {}

  /** What one export wants. */
  record ExportRequest(
      Instant minute, String resourceType, Set<String> ids, Set<String> metrics, int limit) {}

  /** Metrics of the last days, and of what is not in hours yet. */
  List<StoredMetric> metrics(QueryScope readable, Duration back);

  /** Label keys as queries name them, by metric. */
  Map<String, Set<String>> labelsByMetric(QueryScope readable, Duration back);

  /** Label keys of resources as queries name them, by type of resource. */
  Map<String, Set<String>> labelsByResourceType(QueryScope readable, Duration back);

  List<StoredResource> resources(QueryScope readable, Duration back, ResourceFilter filter);

  /** Rows of one minute, at most as many as the limit; a series may have several. */
  List<ExportedSeries> minute(QueryScope readable, ExportRequest request);
}
