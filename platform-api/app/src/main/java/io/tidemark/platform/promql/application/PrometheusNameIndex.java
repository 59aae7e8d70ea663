package io.tidemark.platform.promql.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.metricstore.SeriesStore.StoredMetric;
import io.tidemark.platform.promql.domain.LabelMatcher;
import io.tidemark.platform.promql.domain.MetricLabels;
import io.tidemark.platform.query.domain.ExportText;
import io.tidemark.platform.query.domain.NearestNames;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The metrics of an organisation under the names that Prometheus takes. */
final class PrometheusNameIndex {

  private static final List<Duration> LOOKS =
      List.of(Duration.ofDays(7), Duration.ofDays(40), Duration.ofDays(400));
  private static final Duration REMEMBERED = Duration.ofSeconds(30);
  private static final Duration AT_LEAST = Duration.ofSeconds(1);
  private static final int MAX_NUMBER = 1_000;

  /** What a name stands for. */
  enum Meaning {
    /** Levels: values of different times are not added up. */
    LEVEL("gauge"),
    /** What a counter grew by. */
    GROWTH("counter"),
    /** How many observations a histogram or summary got. */
    OBSERVATIONS("counter"),
    /** The sum of these observations. */
    TOTAL("counter"),
    /** The buckets of a histogram. */
    DISTRIBUTION("histogram");

    private final String type;

    Meaning(String type) {
      this.type = type;
    }

    /** As Prometheus calls it. */
    String type() {
      return type;
    }
  }

  /**
   * A name.
   *
   * @param metric that rows are stored under
   */
  record IndexedName(String name, String metric, Meaning meaning, @Nullable String unit) {}

  private record Key(TenantId organization, Duration back) {}

  private record CachedNames(Instant at, List<IndexedName> names) {}

  private final SeriesStore series;
  private final PipelineProgress progress;
  private final Clock clock;
  private final Map<Key, CachedNames> remembered = new ConcurrentHashMap<>();

  PrometheusNameIndex(SeriesStore series, PipelineProgress progress, Clock clock) {
    this.series = series;
    this.progress = progress;
    this.clock = clock;
  }

  /** All names that were sent since a time, and possibly older ones, in order. */
  List<IndexedName> since(TenantId organization, Instant start) {
    return names(organization, back(start), REMEMBERED);
  }

  /**
   * What a name stands for: a metric as it was sent, or under its Prometheus name.
   *
   * @throws ProblemException {@code invalid_query} when several metrics have that name
   */
  Optional<IndexedName> resolve(TenantId organization, LabelMatcher name, Instant start) {
    Optional<IndexedName> known = among(names(organization, back(start), REMEMBERED), name);
    // A name that was just sent is looked for again, but not with every request.
    return known.isPresent() ? known : among(names(organization, back(start), AT_LEAST), name);
  }

  private static Optional<IndexedName> among(List<IndexedName> names, LabelMatcher name) {
    // A histogram as it was sent means the histogram, not its count.
    Optional<IndexedName> sent =
        names.stream().filter(known -> known.metric().equals(name.text())).findFirst();
    if (sent.isPresent() && name.isSentName()) {
      return sent;
    }
    Map<String, IndexedName> found = new TreeMap<>();
    sent.ifPresent(known -> found.put(known.metric(), known));
    names.stream()
        .filter(known -> known.name().equals(name.text()))
        .forEach(known -> found.putIfAbsent(known.metric(), known));
    if (found.size() > 1) {
      // A metric that was read here and written back must not stand in for the one it is made of.
      throw ProblemException.of(
          ErrorCode.INVALID_QUERY,
          "several metrics have the name "
              + name.text()
              + " here; name one as it was sent: "
              + found.keySet().stream().map(metric -> "{\"" + metric + "\"}").toList());
    }
    return found.values().stream().findFirst();
  }

  /** Names that are written like one that nothing has. */
  List<String> nearest(TenantId organization, String name, Instant start) {
    return NearestNames.of(
        name, since(organization, start).stream().map(IndexedName::name).distinct().toList());
  }

  /** Metrics whose names fit, and that have the labels which are asked for. */
  List<IndexedName> fitting(TenantId organization, List<LabelMatcher> matchers, Instant start) {
    return since(organization, start).stream()
        .filter(known -> isNamed(matchers, known))
        .filter(known -> mayHave(matchers, labels(organization, known.metric(), start)))
        .toList();
  }

  static boolean isNamed(List<LabelMatcher> matchers, IndexedName known) {
    return matchers.stream()
        .filter(matcher -> matcher.label().equals(LabelMatcher.NAME))
        .allMatch(matcher -> matcher.matches(known.name()) || matcher.matches(known.metric()));
  }

  static boolean mayHave(List<LabelMatcher> matchers, MetricLabels labels) {
    return matchers.stream()
        .filter(matcher -> !matcher.label().equals(LabelMatcher.NAME))
        .allMatch(
            matcher ->
                matcher.matchesAbsence()
                    || labels
                        .key(matcher.label())
                        .map(key -> labels.keys().containsValue(key))
                        .orElse(false));
  }

  /** The labels of a metric, those among them that are stored in detail only. */
  MetricLabels labels(TenantId organization, String metric, Instant start) {
    Set<String> labels =
        new HashSet<>(
            series
                .labelsByMetric(QueryScope.all(organization), back(start))
                .getOrDefault(metric, Set.of()));
    progress
        .splits(organization, Optional.of(metric))
        .forEach(split -> split.labels().forEach(label -> labels.add("metric." + label)));
    return MetricLabels.of(labels);
  }

  private Duration back(Instant start) {
    Duration age = Duration.between(start, clock.instant());
    return LOOKS.stream()
        .filter(look -> look.compareTo(age) >= 0)
        .findFirst()
        .orElse(LOOKS.get(LOOKS.size() - 1));
  }

  private List<IndexedName> names(TenantId organization, Duration back, Duration maxAge) {
    Key key = new Key(organization, back);
    Instant now = clock.instant();
    CachedNames before = remembered.get(key);
    if (before != null && Duration.between(before.at(), now).compareTo(maxAge) < 0) {
      return before.names();
    }
    List<IndexedName> names = named(series.metrics(QueryScope.all(organization), back));
    if (remembered.size() >= MAX_NUMBER) {
      remembered.clear();
    }
    remembered.put(key, new CachedNames(now, names));
    return names;
  }

  private static List<IndexedName> named(Collection<StoredMetric> metrics) {
    Map<String, Set<String>> types = new TreeMap<>();
    Map<String, String> units = new TreeMap<>();
    for (StoredMetric metric : metrics) {
      types.computeIfAbsent(metric.name(), ignored -> new HashSet<>()).add(metric.type());
      units.putIfAbsent(metric.name(), metric.unit());
    }
    List<IndexedName> names = new ArrayList<>();
    types.forEach(
        (metric, sent) -> {
          String name = ExportText.metricName(metric);
          String unit = units.get(metric);
          if (Set.of("gauge", "updown_counter").containsAll(sent)) {
            names.add(new IndexedName(name, metric, Meaning.LEVEL, unit));
          } else if (Set.of("histogram", "exponential_histogram", "summary").containsAll(sent)) {
            if (!sent.equals(Set.of("summary"))) {
              names.add(new IndexedName(name, metric, Meaning.DISTRIBUTION, unit));
            }
            names.add(new IndexedName(name + "_count", metric, Meaning.OBSERVATIONS, ""));
            names.add(new IndexedName(name + "_sum", metric, Meaning.TOTAL, unit));
          } else {
            // Values that add up somewhere are not averaged anywhere.
            names.add(new IndexedName(name, metric, Meaning.GROWTH, unit));
          }
        });
    return List.copyOf(names);
  }
}
