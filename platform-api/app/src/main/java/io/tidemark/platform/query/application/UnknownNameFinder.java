package io.tidemark.platform.query.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.metricstore.SeriesStore.StoredMetric;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.query.domain.Answer.Group;
import io.tidemark.platform.query.domain.Answer.UnknownName;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.NearestNames;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds names in a query that nobody sent anything under, so that a slip of the pen does not look
 * like a metric without values. It asks the store only where an answer lacks all values of a name.
 */
public final class UnknownNameFinder {

  private static final Logger LOG = LoggerFactory.getLogger(UnknownNameFinder.class);
  private static final List<Duration> LOOKS =
      List.of(Duration.ofDays(7), Duration.ofDays(40), Duration.ofDays(400));

  private final SeriesStore series;
  private final PipelineProgress progress;
  private final Clock clock;

  /** A finder over what the store has seen. */
  public UnknownNameFinder(SeriesStore series, PipelineProgress progress, Clock clock) {
    this.series = series;
    this.progress = progress;
    this.clock = clock;
  }

  /** Metrics of a query without an answer that were not seen since its intervals begin. */
  List<UnknownName> metrics(QueryScope readable, MetricQuery query, List<Group> groups) {
    if (!groups.isEmpty()) {
      return List.of();
    }
    try {
      Set<String> seen =
          series.metrics(readable, back(query)).stream()
              .map(StoredMetric::name)
              .collect(Collectors.toSet());
      return names(query).stream()
          .filter(name -> !seen.contains(name))
          .map(name -> new UnknownName(name, NearestNames.of(name, seen)))
          .toList();
    } catch (RuntimeException passing) {
      // The answer is there; what only helps to read it must not take it away.
      LOG.debug("Names of metrics cannot be looked up: {}", passing.getMessage());
      return List.of();
    }
  }

  /** Labels that make groups, but that none of the query's metrics has. */
  List<UnknownName> labels(QueryScope readable, MetricQuery query, List<Group> groups) {
    List<LabelKey> absent = new ArrayList<>();
    for (int i = 0; i < query.groupBy().size(); i++) {
      int at = i;
      if (!groups.isEmpty()
          && groups.stream().allMatch(group -> group.labels().get(at) == null)
          && !query.groupBy().get(i).equals(LabelKey.ENVIRONMENT)) {
        absent.add(query.groupBy().get(i));
      }
    }
    if (absent.isEmpty()) {
      return List.of();
    }
    try {
      Set<String> seen = new TreeSet<>();
      Map<String, Set<String>> byMetric = series.labelsByMetric(readable, back(query));
      for (String metric : names(query)) {
        seen.addAll(byMetric.getOrDefault(metric, Set.of()));
        for (SplitInterval split : progress.splits(readable.organization(), Optional.of(metric))) {
          split.labels().forEach(label -> seen.add("metric." + label));
        }
      }
      return absent.stream()
          .map(LabelKey::value)
          .filter(label -> !seen.contains(label))
          .map(label -> new UnknownName(label, NearestNames.of(label, seen)))
          .toList();
    } catch (RuntimeException passing) {
      // The answer is there; what only helps to read it must not take it away.
      LOG.debug("Labels cannot be looked up: {}", passing.getMessage());
      return List.of();
    }
  }

  private static Set<String> names(MetricQuery query) {
    return query.aggregations().stream()
        .map(aggregation -> aggregation.metric())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Duration back(MetricQuery query) {
    Instant first = query.intervals().get(0).start();
    Duration age = Duration.between(first, clock.instant());
    return LOOKS.stream()
        .filter(look -> look.compareTo(age) >= 0)
        .findFirst()
        .orElse(LOOKS.get(LOOKS.size() - 1));
  }
}
