package io.tidemark.platform.promql.application;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.promql.domain.PromQlFault;
import io.tidemark.platform.query.application.MetricsQueryService;
import io.tidemark.platform.query.domain.Aggregation.Computation;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.shared.TenantId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Lists the combinations of labels that a metric has. */
final class SeriesService {

  private final MetricsQueryService metrics;

  SeriesService(MetricsQueryService metrics) {
    this.metrics = metrics;
  }

  static MetricQuery query(
      Optional<LabelFilter> filter,
      Granularity granularity,
      Collection<LabelKey> groupBy,
      List<TimeInterval> intervals) {
    return new MetricQuery(
        List.of(),
        filter,
        granularity,
        List.copyOf(groupBy),
        intervals,
        RangeVectorReader.MAX_SERIES,
        Optional.empty(),
        false,
        false,
        false);
  }

  /** Series of a metric, as labels by name; more than there may be is refused. */
  List<SortedMap<String, String>> list(
      TenantId organization,
      String metric,
      Map<String, LabelKey> keys,
      Optional<LabelFilter> filter,
      List<TimeInterval> intervals) {
    Set<List<@Nullable String>> groups =
        metrics
            .read(
                organization,
                query(filter, Granularity.ALL, keys.values(), intervals),
                new Computation(metric, AggregationFunction.COUNT, Optional.empty()))
            .groups()
            .keySet();
    if (groups.size() > RangeVectorReader.MAX_SERIES) {
      throw PromQlFault.unsupported(
          "more than " + RangeVectorReader.MAX_SERIES + " series; narrow the selector");
    }
    List<SortedMap<String, String>> listed = new ArrayList<>();
    groups.forEach((List<@Nullable String> group) -> listed.add(labelled(keys.keySet(), group)));
    return listed;
  }

  /** All values of a label. */
  Set<String> values(
      TenantId organization, String metric, LabelKey key, List<TimeInterval> intervals) {
    Set<String> values = new TreeSet<>();
    list(
            organization,
            metric,
            Map.of("value", key),
            Optional.of(new LabelFilter.Present(key)),
            intervals)
        .forEach(labels -> values.addAll(labels.values()));
    return values;
  }

  /** An absent label and an empty one are the same. */
  static SortedMap<String, String> labelled(
      Collection<String> names, List<@Nullable String> values) {
    SortedMap<String, String> labels = new TreeMap<>();
    int i = 0;
    for (String name : names) {
      String value = values.get(i++);
      if (value != null && !value.isEmpty()) {
        labels.put(name, value);
      }
    }
    return labels;
  }
}
