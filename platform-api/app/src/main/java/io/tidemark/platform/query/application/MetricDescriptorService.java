package io.tidemark.platform.query.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.metricstore.SeriesStore.StoredMetric;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.query.application.DeclaredMetricLookup.Declared;
import io.tidemark.platform.query.application.DeclaredMetricLookup.Stage;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Describes the metrics and resources of an organisation, page by page. */
public final class MetricDescriptorService {

  private static final Duration BACK = Duration.ofDays(7);
  private static final int USUAL_PAGE = 100;
  private static final int MAX_PAGE = 1000;

  private final SeriesStore series;
  private final PipelineProgress progress;
  private final DeclaredMetricLookup declared;
  private final PageTokens tokens;
  private final Clock clock;

  /** The use case. */
  public MetricDescriptorService(
      SeriesStore series,
      PipelineProgress progress,
      DeclaredMetricLookup declared,
      PageTokens tokens,
      Clock clock) {
    this.series = series;
    this.progress = progress;
    this.declared = declared;
    this.tokens = tokens;
    this.clock = clock;
  }

  /** A label; {@code key} without {@code metric.} or {@code resource.}. */
  public record Label(String key, boolean exportable) {}

  /** A metric. */
  public record Metric(
      String name,
      Declared declared,
      String unit,
      MetricKind kind,
      Set<String> resources,
      List<Label> labels) {}

  /** A type of resource. */
  public record Resource(String type, List<Label> labels) {}

  /** Some of a list. */
  public record Page<T>(List<T> items, int size, int total, Optional<String> next) {}

  /** What a page is asked with; components may be null. */
  public record PageWish(@Nullable Integer size, @Nullable String token) {}

  /** Metrics by name. */
  public Page<Metric> metrics(
      Caller caller, String dataset, @Nullable String resourceType, PageWish wish) {
    QueryScope readable = Datasets.readableBy(caller, dataset);
    int size = size(wish);
    Map<String, Declared> said = declared.of(readable);
    NavigableMap<String, List<StoredMetric>> byName = new TreeMap<>();
    for (StoredMetric metric : series.metrics(readable, BACK)) {
      boolean isShown = said.getOrDefault(metric.name(), Declared.NOTHING).stage() != Stage.RETIRED;
      if (isShown && (resourceType == null || resourceType.equals(metric.resourceType()))) {
        byName.computeIfAbsent(metric.name(), ignored -> new ArrayList<>()).add(metric);
      }
    }
    Page<String> names =
        page(
            new PageTokens.Request(readable, dataset, "metrics " + resourceType),
            wish,
            size,
            byName);
    Map<String, Set<String>> labels = series.labelsByMetric(readable, BACK);
    Instant now = clock.instant();
    List<Metric> described =
        names.items().stream()
            .map(
                name ->
                    metric(
                        name,
                        said.getOrDefault(name, Declared.NOTHING),
                        Objects.requireNonNull(byName.get(name)),
                        labels.getOrDefault(name, Set.of()),
                        splits(readable, name),
                        now))
            .toList();
    return new Page<>(described, size, names.total(), names.next());
  }

  /** Types of resources by name. */
  public Page<Resource> resources(Caller caller, String dataset, PageWish wish) {
    QueryScope readable = Datasets.readableBy(caller, dataset);
    int size = size(wish);
    NavigableMap<String, Set<String>> types =
        new TreeMap<>(series.labelsByResourceType(readable, BACK));
    Page<String> names =
        page(new PageTokens.Request(readable, dataset, "resources"), wish, size, types);
    List<Resource> described =
        names.items().stream()
            .map(type -> new Resource(type, ofResource(Objects.requireNonNull(types.get(type)))))
            .toList();
    return new Page<>(described, size, names.total(), names.next());
  }

  private List<SplitInterval> splits(QueryScope readable, String metric) {
    return progress.splits(readable.organization(), Optional.of(metric)).stream()
        .filter(split -> readable.holds(split.environment()))
        .toList();
  }

  private static Metric metric(
      String name,
      Declared declared,
      List<StoredMetric> seen,
      Set<String> labels,
      List<SplitInterval> splits,
      Instant now) {
    Set<MetricKind> kinds = new HashSet<>();
    Set<String> resources = new TreeSet<>();
    for (StoredMetric metric : seen) {
      kinds.add(MetricKind.ofStored(metric.type()));
      resources.add(metric.resourceType());
    }
    Set<String> summedAway = new HashSet<>();
    for (SplitInterval split : splits) {
      if (split.from() <= now.toEpochMilli() && now.toEpochMilli() < split.to()) {
        summedAway.addAll(split.labels());
      }
    }
    Set<String> keys = new TreeSet<>(summedAway);
    for (String label : labels) {
      if (label.startsWith("metric.")) {
        keys.add(label.substring("metric.".length()));
      }
    }
    return new Metric(
        name,
        declared,
        seen.get(0).unit(),
        kinds.size() > 1 ? MetricKind.COUNTER : kinds.iterator().next(),
        resources,
        keys.stream().map(key -> new Label(key, !summedAway.contains(key))).toList());
  }

  private static List<Label> ofResource(Set<String> labels) {
    return labels.stream()
        .map(label -> new Label(label.substring("resource.".length()), true))
        .toList();
  }

  private Page<String> page(
      PageTokens.Request request, PageWish wish, int size, NavigableMap<String, ?> all) {
    Instant now = clock.instant();
    List<String> rest =
        new ArrayList<>(
            wish.token() == null
                ? all.keySet()
                : all.tailMap(tokens.place(request, wish.token(), now).after().get(0), false)
                    .keySet());
    List<String> kept = rest.subList(0, Math.min(rest.size(), size));
    return new Page<>(
        kept,
        size,
        all.size(),
        rest.size() > kept.size()
            ? Optional.of(
                tokens.token(
                    request, new PageTokens.PagePosition(now, List.of(kept.get(kept.size() - 1)))))
            : Optional.empty());
  }

  private static int size(PageWish wish) {
    if (wish.size() == null) {
      return USUAL_PAGE;
    }
    if (wish.size() < 1 || wish.size() > MAX_PAGE) {
      throw ProblemException.of(
          ErrorCode.INVALID_QUERY, "page_size must be 1 to " + MAX_PAGE + ".");
    }
    return wish.size();
  }
}
