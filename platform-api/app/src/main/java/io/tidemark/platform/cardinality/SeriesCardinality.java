package io.tidemark.platform.cardinality;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesCounter;
import io.tidemark.platform.metricstore.SeriesCounter.Counting;
import io.tidemark.platform.metricstore.SeriesCounter.MetricSeries;
import io.tidemark.platform.metricstore.SeriesCounter.ReducedSeries;
import io.tidemark.platform.metricstore.SeriesCounter.ResourceSelector;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Budgets;
import io.tidemark.platform.tenancy.EffectiveBudgets;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/**
 * Counts series of an environment from stored rows. Answers are kept for a minute, those without
 * series for seconds: the first rows are on their way.
 */
@Service
public class SeriesCardinality {

  static final int MAX_METRICS = 200;

  /** More rows than these are estimated: an exact count holds every series in memory. */
  static final long EXACT_ROWS = 3_000_000;

  /** So many rows a what-if reads, four times at most. */
  static final long EFFECT_ROWS = 500_000;

  private static final int MAX_ANSWERS = 1_000;
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final Duration KEPT_EMPTY = Duration.ofSeconds(10);

  private static final Duration NOW = Duration.ofHours(1);
  private static final int DAYS = 7;
  private static final List<Duration> WINDOWS =
      List.of(Duration.ofHours(1), Duration.ofMinutes(10), Duration.ofMinutes(1));

  /** Rows of later minutes may be on their way, where the pipeline does not say how far it is. */
  private static final Duration BEHIND = Duration.ofMinutes(3);

  /**
   * Series by day.
   *
   * @param days of UTC that have rows
   */
  public record MetricCount(
      String metric,
      long series,
      long folded,
      SortedMap<LocalDate, Long> days,
      Set<String> split) {}

  /**
   * Series of an environment.
   *
   * @param metrics those with the most series
   * @param exact whether series were counted; otherwise estimated
   * @param daysExact the same of days
   */
  public record Summary(
      Instant countedAt,
      long series,
      int metricsCounted,
      boolean exact,
      boolean daysExact,
      SortedMap<LocalDate, Long> days,
      Budgets budgets,
      List<MetricCount> metrics) {}

  /** Values of a label; an estimate. */
  public record LabelCount(String label, long values, boolean split) {}

  /**
   * The effect with what a row takes.
   *
   * @param bytesPerRow by datasource; none for those without rows that are stored for good
   */
  public record Effect(TimeInterval window, LabelEffect rows, Map<Source, Double> bytesPerRow) {}

  private final Environments environments;
  private final EffectiveBudgets budgets;
  private final SeriesCounter counter;
  private final SeriesStore labels;
  private final PipelineProgress progress;
  private final Clock clock;

  private final Cache<List<Object>, Summary> summaries = answers(summary -> summary.series() == 0);
  private final Cache<List<Object>, Effect> effects =
      answers(effect -> effect.rows().series() == 0);
  private final Cache<List<Object>, List<LabelCount>> values =
      answers(labels -> labels.stream().allMatch(label -> label.values() == 0));

  /** Of everybody's rows: says nothing of a tenant. */
  private final Cache<Source, OptionalDouble> rowSizes =
      Caffeine.newBuilder().maximumSize(10).expireAfterWrite(Duration.ofMinutes(10)).build();

  SeriesCardinality(
      Environments environments,
      EffectiveBudgets budgets,
      SeriesCounter counter,
      SeriesStore labels,
      PipelineProgress progress,
      Clock clock) {
    this.environments = environments;
    this.budgets = budgets;
    this.counter = counter;
    this.labels = labels;
    this.progress = progress;
    this.clock = clock;
  }

  private static <T> Cache<List<Object>, T> answers(Predicate<T> isEmpty) {
    return Caffeine.newBuilder()
        .maximumSize(MAX_ANSWERS)
        .expireAfter(
            Expiry.<List<Object>, T>writing(
                (question, answer) -> isEmpty.test(answer) ? KEPT_EMPTY : KEPT))
        .build();
  }

  /**
   * Series by metric; {@code not_found}, and what the store's failures are.
   *
   * @param resource whose series are counted
   */
  public Summary summary(TenantId organization, String environment, ResourceSelector resource) {
    QueryScope scope = scope(organization, environment);
    Summary counted =
        summaries.get(List.of(scope, resource), ignored -> count(scope, environment, resource));
    // Budgets and routes are never old.
    Map<String, Set<String>> split = splitNow(organization, environment);
    return new Summary(
        counted.countedAt(),
        counted.series(),
        counted.metricsCounted(),
        counted.exact(),
        counted.daysExact(),
        counted.days(),
        budgets.ofEnvironment(organization, environment).inForce(),
        counted.metrics().stream()
            .map(
                metric ->
                    new MetricCount(
                        metric.metric(),
                        metric.series(),
                        metric.folded(),
                        metric.days(),
                        split.getOrDefault(metric.metric(), Set.of())))
            .toList());
  }

  private Summary count(QueryScope scope, String environment, ResourceSelector resource) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MINUTES);
    Instant today = now.truncatedTo(ChronoUnit.DAYS);
    Counting recent = new Counting(Source.MINUTES, new TimeInterval(now.minus(NOW), now), resource);
    Counting week =
        new Counting(
            Source.DAYS, new TimeInterval(today.minus(DAYS, ChronoUnit.DAYS), today), resource);
    boolean exact = counter.rows(scope, recent) <= EXACT_ROWS;
    Map<String, Long> series = counted(counter.series(scope, recent, false, exact));
    // A split metric has its series in its rows in detail.
    Counting detail = new Counting(Source.MINUTES_IN_DETAIL, recent.interval(), resource);
    if (!splitNow(scope.organization(), environment).isEmpty()) {
      boolean isExact = counter.rows(scope, detail) <= EXACT_ROWS;
      exact &= isExact;
      counted(counter.series(scope, detail, false, isExact))
          .forEach((metric, more) -> series.merge(metric, more, Math::max));
    }
    Map<String, Long> folded = counted(counter.overflowSeries(scope, recent));
    boolean daysExact = counter.rows(scope, week) <= EXACT_ROWS;
    Map<String, SortedMap<LocalDate, Long>> days = new HashMap<>();
    SortedMap<LocalDate, Long> total = new TreeMap<>();
    for (MetricSeries each : counter.series(scope, week, true, daysExact)) {
      LocalDate day = each.from().atOffset(ZoneOffset.UTC).toLocalDate();
      days.computeIfAbsent(each.metric(), ignored -> new TreeMap<>())
          .merge(day, each.series(), Long::sum);
      total.merge(day, each.series(), Long::sum);
    }
    List<MetricCount> metrics =
        series.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(MAX_METRICS)
            .map(
                each ->
                    new MetricCount(
                        each.getKey(),
                        each.getValue(),
                        folded.getOrDefault(each.getKey(), 0L),
                        days.getOrDefault(each.getKey(), new TreeMap<>()),
                        Set.of()))
            .toList();
    return new Summary(
        now,
        series.values().stream().mapToLong(Long::longValue).sum(),
        series.size(),
        exact,
        daysExact,
        total,
        Budgets.PLAN,
        metrics);
  }

  private static Map<String, Long> counted(List<MetricSeries> series) {
    Map<String, Long> counted = new HashMap<>();
    series.forEach(each -> counted.merge(each.metric(), each.series(), Long::sum));
    return counted;
  }

  /** Values of each label of a metric, most first; {@code not_found}. */
  public List<LabelCount> labels(TenantId organization, String environment, String metric) {
    QueryScope scope = scope(organization, environment);
    Set<String> keys = keys(scope, metric);
    if (keys.isEmpty()) {
      return List.of();
    }
    Set<String> split = split(organization, environment, metric);
    return values.get(
        List.of(scope, metric, split),
        ignored -> {
          Instant now = clock.instant().truncatedTo(ChronoUnit.MINUTES);
          Counting counting =
              new Counting(
                  split.isEmpty() ? Source.MINUTES : Source.MINUTES_IN_DETAIL,
                  new TimeInterval(now.minus(NOW), now));
          List<LabelCount> found = new ArrayList<>();
          counter
              .values(scope, counting, metric, keys)
              .forEach((key, count) -> found.add(new LabelCount(key, count, split.contains(key))));
          found.sort(
              Comparator.comparingLong(LabelCount::values)
                  .reversed()
                  .thenComparing(LabelCount::label));
          return List.copyOf(found);
        });
  }

  /**
   * What dropping or splitting a label would save.
   *
   * @throws ProblemException {@code not_found}, {@code invalid_request}, {@code
   *     query_too_expensive}, and what the store's failures are
   */
  public Effect effect(
      TenantId organization,
      String environment,
      String metric,
      String label,
      LabelEffect.Action action) {
    QueryScope scope = scope(organization, environment);
    Set<String> keys = keys(scope, metric);
    if (!keys.contains(label)) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "label is none of the metric's in the last day. Take one from the list of its labels.");
    }
    if (action == LabelEffect.Action.SPLIT && !label.startsWith("metric.")) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "Only labels of points can be split. Drop the label, or take one that begins with metric.");
    }
    Set<String> split = split(organization, environment, metric);
    if (action == LabelEffect.Action.SPLIT && split.contains(label)) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, "The label is split already.");
    }
    return effects.get(
        List.of(scope, metric, label, action, split),
        ignored -> effect(scope, metric, label, action, keys, split));
  }

  private Effect effect(
      QueryScope scope,
      String metric,
      String label,
      LabelEffect.Action action,
      Set<String> keys,
      Set<String> split) {
    Source source = split.isEmpty() ? Source.MINUTES : Source.MINUTES_IN_DETAIL;
    Counting counting = window(scope, source, metric);
    Map<Set<String>, ReducedSeries> counted = new HashMap<>();
    LabelEffect effect =
        LabelEffect.of(
            action,
            label,
            keys,
            split,
            counting.interval().length(),
            labels ->
                counted.computeIfAbsent(
                    labels,
                    some ->
                        counter.reduced(scope, counting, metric, some.equals(keys) ? null : some)));
    Map<Source, Double> sizes = new HashMap<>();
    for (LabelEffect.LevelRows level : effect.levels()) {
      rowSize(level.source()).ifPresent(size -> sizes.put(level.source(), size));
    }
    return new Effect(counting.interval(), effect, sizes);
  }

  /** The longest window of complete minutes whose rows are few enough. */
  private Counting window(QueryScope scope, Source source, String metric) {
    Instant now = clock.instant();
    Instant end =
        progress
            .completeUntil(scope.organization())
            .filter(until -> until.isBefore(now))
            .orElse(now.minus(BEHIND))
            .truncatedTo(ChronoUnit.MINUTES);
    for (Duration window : WINDOWS) {
      Counting counting = new Counting(source, new TimeInterval(end.minus(window), end));
      if (counter.rows(scope, counting, metric) <= EFFECT_ROWS) {
        return counting;
      }
    }
    throw ProblemException.of(
        ErrorCode.QUERY_TOO_EXPENSIVE,
        "The metric has more than "
            + EFFECT_ROWS
            + " rows in one minute, which is too many to count them exactly.");
  }

  private OptionalDouble rowSize(Source source) {
    return rowSizes.get(
        source,
        ignored -> {
          // Older rows are stored for good, newer ones in memory of the indexers.
          Instant end = clock.instant().truncatedTo(ChronoUnit.DAYS).minus(6, ChronoUnit.HOURS);
          return counter.bytesPerRow(source, new TimeInterval(end.minus(2, ChronoUnit.DAYS), end));
        });
  }

  private Set<String> keys(QueryScope scope, String metric) {
    return labels.labelsByMetric(scope, Duration.ofDays(1)).getOrDefault(metric, Set.of()).stream()
        .filter(LabelKey::isWellFormed)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Set<String> split(TenantId organization, String environment, String metric) {
    return splitNow(organization, environment).getOrDefault(metric, Set.of()).stream()
        .map(label -> "metric." + label)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Names of labels by metric. */
  private Map<String, Set<String>> splitNow(TenantId organization, String environment) {
    long now = clock.millis();
    Map<String, Set<String>> found = new HashMap<>();
    for (SplitInterval each : progress.splits(organization, java.util.Optional.empty())) {
      if (each.environment().equals(environment) && each.from() <= now && now < each.to()) {
        found.computeIfAbsent(each.metric(), ignored -> new TreeSet<>()).addAll(each.labels());
      }
    }
    return found;
  }

  private QueryScope scope(TenantId organization, String environment) {
    return new QueryScope(
        organization, Set.of(environments.get(organization, environment).id().value()));
  }
}
