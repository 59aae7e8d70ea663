package io.tidemark.platform.alerting.backtest;

import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.GroupLabels;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalKind;
import io.tidemark.platform.alerting.AlertCondition;
import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.query.application.MetricsQueryService;
import io.tidemark.platform.query.domain.Aggregation.Computation;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Runs conditions over stored rows. Reads through the Metrics API's query service, so its tiers,
 * turns and cost limits hold here too: what Druid let go of comes from the lake.
 */
@Service
public class AlertBacktests {

  static final int MAX_DAYS = 30;
  static final int MAX_GROUPS = 1_000;
  static final long MAX_DECISIONS = 3_000_000;

  /** Minutes that are held at a time, of all groups together. */
  static final long MAX_HELD = 300_000;

  private static final int MAX_AT_ONCE = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(10);
  private static final Duration FIRST_STRETCH = Duration.ofHours(6);
  private static final Duration MIN_STRETCH = Duration.ofHours(1);
  private static final Duration MAX_STRETCH = Duration.ofDays(1);

  /** Groups times minutes of a stretch stay below what one answer of the store may have. */
  private static final long STRETCH_VALUES = 60_000;

  /** How old rows have to be to be complete while the pipeline's progress is not known. */
  private static final Duration SURELY_WRITTEN = Duration.ofHours(1);

  private static final Duration LABELS_OF = Duration.ofDays(7);

  private final MetricsQueryService metrics;
  private final SeriesStore series;
  private final PipelineProgress progress;
  private final Environments environments;
  private final Clock clock;
  private final Semaphore turns = new Semaphore(MAX_AT_ONCE, true);

  AlertBacktests(
      MetricsQueryService metrics,
      SeriesStore series,
      PipelineProgress progress,
      Environments environments,
      Clock clock) {
    this.metrics = metrics;
    this.series = series;
    this.progress = progress;
    this.environments = environments;
    this.clock = clock;
  }

  /**
   * Decides the last days of a condition.
   *
   * @throws ProblemException {@code invalid_request}, {@code not_found}, {@code
   *     query_too_expensive}, {@code rate_limited}, or what reading rows throws
   */
  public BacktestReport run(
      TenantId organization, String environment, @Nullable AlertCondition condition, int days) {
    EnvironmentId place = environments.get(organization, environment).id();
    check(condition, days);
    try {
      if (!turns.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw busy();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw busy();
    }
    try {
      return run(organization, place, Objects.requireNonNull(condition), days);
    } finally {
      turns.release();
    }
  }

  private static ProblemException busy() {
    return ProblemException.passing(
        null,
        ErrorCode.RATE_LIMITED,
        MAX_AT_ONCE + " previews run already, and none was done within 5 seconds.",
        RETRY_AFTER);
  }

  private static void check(@Nullable AlertCondition condition, int days) {
    List<String> faults = new ArrayList<>();
    if (days < 1 || days > MAX_DAYS) {
      faults.add("days must be 1 to " + MAX_DAYS + ".");
    }
    if (condition == null) {
      faults.add("condition must be there.");
    } else {
      faults.addAll(condition.faults());
      List<String> labels = new ArrayList<>(condition.groupBy());
      condition.matchers().forEach(matcher -> labels.add(matcher.label()));
      if (faults.isEmpty() && !labels.stream().allMatch(LabelKey::isWellFormed)) {
        faults.add("condition names a label that no row can have.");
      }
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  /** Of all metrics: a rule may look at several. */
  private NavigableMap<Long, Long> lateRows(TenantId organization) {
    NavigableMap<Long, Long> rows = new TreeMap<>();
    progress
        .lateRows(organization, Level.MINUTE)
        .forEach(
            (minute, byMetric) ->
                rows.put(minute, byMetric.values().stream().mapToLong(Long::longValue).sum()));
    return rows;
  }

  private BacktestReport run(
      TenantId organization, EnvironmentId environment, AlertCondition condition, int days) {
    Instant now = clock.instant();
    Instant until =
        progress
            .completeUntil(organization)
            .filter(complete -> complete.isBefore(now))
            .orElse(now.minus(SURELY_WRITTEN))
            .truncatedTo(ChronoUnit.MINUTES);
    Instant from = until.minus(Duration.ofDays(days));
    AlertRule rule = BacktestRule.of(organization, environment, condition, from);
    Backtest backtest = new Backtest(rule, until.toEpochMilli(), lateRows(organization));
    Rows rows = new Rows(organization, environment, condition, rule.signal());
    if (rule.signal().kind() == SignalKind.ANOMALY) {
      rows.read(
              Part.NUMERATOR,
              Granularity.PT1H,
              new TimeInterval(
                  from.truncatedTo(ChronoUnit.HOURS)
                      .minus(Duration.ofDays(rule.signal().days() + 1L)),
                  until))
          .forEach(backtest::hours);
    }
    Instant deadline = now.plus(LONGEST);
    Instant start = from.minus(minutesBefore(rule));
    Duration length = FIRST_STRETCH;
    while (start.isBefore(until)) {
      Instant end = start.plus(length).isBefore(until) ? start.plus(length) : until;
      TimeInterval stretch = new TimeInterval(start, end);
      backtest.stretch(
          rows.read(Part.NUMERATOR, Granularity.PT1M, stretch),
          rule.signal().kind() == SignalKind.RATIO
              ? rows.read(Part.DENOMINATOR, Granularity.PT1M, stretch)
              : Map.of(),
          end.toEpochMilli());
      bound(backtest, rule, days, deadline, end);
      start = end;
      length = next(backtest.groups());
    }
    return backtest.report();
  }

  private static Duration next(int groups) {
    Duration fits = Duration.ofMinutes(STRETCH_VALUES / Math.max(1, groups));
    return fits.compareTo(MAX_STRETCH) > 0
        ? MAX_STRETCH
        : fits.compareTo(MIN_STRETCH) < 0 ? MIN_STRETCH : fits;
  }

  /** Rows before the first decided minute that it needs; older ones of an anomaly are hours. */
  private static Duration minutesBefore(AlertRule rule) {
    return rule.signal().kind() == SignalKind.ANOMALY
        ? Duration.ofMinutes(rule.signal().windowMinutes())
        : Duration.ofMillis(rule.lookbackMs());
  }

  private void bound(Backtest backtest, AlertRule rule, int days, Instant deadline, Instant end) {
    long held = backtest.groups() * (minutesBefore(rule).toMinutes() + MIN_STRETCH.toMinutes());
    if (backtest.groups() > MAX_GROUPS || held > MAX_HELD) {
      throw tooExpensive(
          "The rule has "
              + backtest.groups()
              + " groups until "
              + end
              + "; a preview has at most "
              + Math.min(MAX_GROUPS, MAX_HELD * backtest.groups() / held)
              + " with this window. Name fewer labels in condition.group_by, or narrow"
              + " condition.matchers.");
    }
    if (backtest.decided() > MAX_DECISIONS) {
      throw tooExpensive(
          "The rule would decide more than "
              + MAX_DECISIONS
              + " minutes of all groups in "
              + days
              + " days. Ask for fewer days.");
    }
    if (clock.instant().isAfter(deadline)) {
      throw tooExpensive(
          "Reading rows took longer than "
              + LONGEST.toSeconds()
              + " seconds, and came to "
              + end
              + ". Ask for fewer days, or narrow condition.matchers.");
    }
  }

  private static ProblemException tooExpensive(String detail) {
    return ProblemException.of(ErrorCode.QUERY_TOO_EXPENSIVE, detail);
  }

  /** What is above or below the line of a ratio; other rules have the former. */
  private enum Part {
    NUMERATOR,
    DENOMINATOR
  }

  /** Rows of one rule, by group. */
  private final class Rows {
    private final TenantId organization;
    private final QueryScope scope;
    private final AlertCondition condition;
    private final AlertSignal signal;
    private final List<String> names;

    Rows(
        TenantId organization,
        EnvironmentId environment,
        AlertCondition condition,
        AlertSignal signal) {
      this.organization = organization;
      this.scope = new QueryScope(organization, Set.of(environment.value()));
      this.condition = condition;
      this.signal = signal;
      this.names =
          signal.perSeries()
              ? series
                  .labelsByMetric(scope, LABELS_OF)
                  .getOrDefault(signal.metric(), Set.of())
                  .stream()
                  .filter(LabelKey::isWellFormed)
                  .sorted()
                  .toList()
              : signal.groupBy();
    }

    Map<String, NavigableMap<Long, MinuteTotals>> read(
        Part part, Granularity granularity, TimeInterval interval) {
      boolean isAbove = part == Part.NUMERATOR;
      AggregationFunction function =
          StoredTotals.read(
              signal.kind(), isAbove ? signal.aggregation() : signal.denominatorAggregation());
      String metric = isAbove ? signal.metric() : signal.denominatorMetric();
      Optional<LabelFilter> filter =
          MatcherFilters.of(condition.matchers(), key -> values(metric, key, interval));
      var groups =
          metrics
              .read(
                  organization,
                  query(filter, granularity, names, interval),
                  new Computation(metric, function, Optional.empty()))
              .groups();
      if (groups.size() > MAX_GROUPS) {
        throw tooExpensive(
            "The rule has more than "
                + MAX_GROUPS
                + " groups. Name fewer labels in condition.group_by, or narrow"
                + " condition.matchers.");
      }
      Map<String, NavigableMap<Long, MinuteTotals>> totals = new HashMap<>();
      groups.forEach(
          (values, buckets) -> {
            NavigableMap<Long, MinuteTotals> ofGroup =
                totals.computeIfAbsent(labels(values), ignored -> new TreeMap<>());
            buckets.forEach(
                (bucket, figures) ->
                    ofGroup.merge(
                        bucket.toEpochMilli(),
                        StoredTotals.of(figures, function, bucket.toEpochMilli()),
                        MinuteTotals::add));
          });
      return totals;
    }

    /** A series has the labels that it has; a group all of those that make groups. */
    private String labels(List<String> values) {
      Map<String, String> labels = new TreeMap<>();
      for (int i = 0; i < names.size(); i++) {
        String value = values.get(i);
        if (value != null) {
          labels.put(names.get(i), value);
        }
      }
      return GroupLabels.of(signal.perSeries() ? List.copyOf(labels.keySet()) : names, labels);
    }

    private Set<String> values(String metric, LabelKey key, TimeInterval interval) {
      Set<String> values = new TreeSet<>();
      metrics
          .read(
              organization,
              query(
                  Optional.of(new LabelFilter.Present(key)),
                  Granularity.ALL,
                  List.of(key.value()),
                  interval),
              new Computation(metric, AggregationFunction.COUNT, Optional.empty()))
          .groups()
          .keySet()
          .forEach(group -> values.add(group.get(0)));
      if (values.size() > MAX_GROUPS) {
        throw tooExpensive(
            "The label "
                + key.value()
                + " has more than "
                + MAX_GROUPS
                + " values, too many to try an expression on. Use eq, or add a matcher.");
      }
      return values;
    }

    private MetricQuery query(
        Optional<LabelFilter> filter,
        Granularity granularity,
        List<String> groupBy,
        TimeInterval interval) {
      return new MetricQuery(
              List.of(),
              filter,
              granularity,
              groupBy.stream().map(LabelKey::new).toList(),
              List.of(interval),
              MAX_GROUPS,
              Optional.empty(),
              false,
              false,
              false)
          .within(scope);
    }
  }
}
