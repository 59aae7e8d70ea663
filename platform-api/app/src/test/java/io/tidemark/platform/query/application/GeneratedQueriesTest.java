package io.tidemark.platform.query.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.RecentCacheStore;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.metricstore.StoreTierRanges;
import io.tidemark.platform.metricstore.TieredMetricStore;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.metricstore.recent.RecentRowConsumer;
import io.tidemark.platform.query.domain.Answer;
import io.tidemark.platform.query.domain.QueryDraft;
import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.query.domain.QueryDraft.FilterDraft;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingOpenMinutes;
import io.tidemark.platform.testing.TestingProgress;
import io.tidemark.platform.testing.TestingRecentRows;
import io.tidemark.platform.testing.TestingSeries;
import io.tidemark.platform.testing.TestingStore;
import io.tidemark.platform.testing.TestingStore.RawPoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Generated queries over rows of minutes, hours and days, with split minutes in one of two
 * environments, and over minutes that are not complete, of which some points are in rows, some are
 * shown and some are both, of which Druid holds the newer days and the lake the older, and the
 * newest minutes are in memory too, are answered as a plain recomputation from the raw points
 * answers them.
 */
class GeneratedQueriesTest {

  private static final Instant BEGIN = Instant.parse("2026-03-10T00:00:00Z");
  private static final Instant NOW = BEGIN.plus(Duration.ofDays(5));
  private static final Instant COMPLETE = Instant.parse("2026-03-14T21:07:00Z");
  private static final TenantId TENANT = new TenantId("org-a");
  private static final List<String> METRICS = List.of("level", "requests", "latency");
  private static final List<String> KEYS =
      List.of("metric.topic", "metric.client", "resource.kafka.id");
  private static final long MINUTE = 60_000;

  private final Random random = new Random(20261121);
  private final List<RawPoint> points = new ArrayList<>();
  private final TestingProgress progress = new TestingProgress();
  private final TestingOpenMinutes openMinutes = new TestingOpenMinutes();
  private final List<SplitInterval> splits = new ArrayList<>();
  private TestingStore druid;
  private TestingStore lake;
  private TestingRecentRows recent;
  private StoreTierRanges ages = StoreTierRanges.DRUID_ALONE;

  private MetricsQueryService queries() {
    for (String metric : METRICS) {
      // From the middle of an hour of the second day to the middle of another of the fourth.
      SplitInterval split =
          new SplitInterval(
              "env-1",
              metric,
              BEGIN.plus(Duration.ofMinutes(1440 + 617)).toEpochMilli(),
              BEGIN.plus(Duration.ofMinutes(3 * 1440 + 431)).toEpochMilli(),
              Set.of("client"));
      splits.add(split);
      progress.split(split);
    }
    SplitInterval open =
        new SplitInterval(
            "env-1",
            "requests",
            COMPLETE.plus(Duration.ofMinutes(3)).toEpochMilli(),
            COMPLETE.plus(Duration.ofMinutes(40)).toEpochMilli(),
            Set.of("client"));
    splits.add(open);
    progress.split(open);
    for (int i = 0; i < 6_000; i++) {
      points.add(point(BEGIN, Duration.ofDays(5)));
    }
    for (int i = 0; i < 3_000; i++) {
      points.add(point(COMPLETE, Duration.ofHours(1)));
    }
    // A watermark says nothing of the minute that it stands in.
    progress.completeUntil(COMPLETE.plusMillis(808));
    Map<Lane, QueryConcurrencyLimiter.Size> sizes = new EnumMap<>(Lane.class);
    for (Lane lane : Lane.values()) {
      sizes.put(lane, new QueryConcurrencyLimiter.Size(1, 1, 1));
    }
    List<RawPoint> stored = stored();
    druid = new TestingStore(stored, splits);
    lake = new TestingStore(stored, splits);
    recent =
        new TestingRecentRows(
            druid.rows(Source.MINUTES),
            (organization, source) -> (environment, metric) -> 0,
            new RecentRowConsumer.Size(Duration.ofHours(30), 1_000_000, 100_000),
            Clock.fixed(NOW, ZoneOffset.UTC));
    return new MetricsQueryService(
        new RecentCacheStore(recent, new TieredMetricStore(druid, lake)),
        progress,
        openMinutes,
        (tenant, metric) -> metric.equals("level") ? MetricKind.GAUGE : MetricKind.COUNTER,
        (tenant, level, metric) -> Optional.empty(),
        organization -> ages,
        new PageTokens("a secret for tests"),
        new CostGuard(
            10,
            1_000_000,
            1_000_000,
            new QueryConcurrencyLimiter(sizes, Duration.ofSeconds(1), () -> 1)),
        new UnknownNameFinder(
            new TestingSeries(List.of(), Set.of()), progress, Clock.fixed(NOW, ZoneOffset.UTC)),
        100_000,
        QueryMeter.NONE,
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private RawPoint point(Instant from, Duration within) {
    Map<String, String> labels = new TreeMap<>();
    labels.put("resource.kafka.id", "lkc-" + random.nextInt(2));
    labels.put("metric.topic", "t" + random.nextInt(3));
    if (random.nextInt(4) > 0) {
      labels.put("metric.client", "c" + random.nextInt(5));
    }
    return new RawPoint(
        random.nextInt(5) == 0 ? "org-b" : TENANT.value(),
        "env-" + random.nextInt(2),
        METRICS.get(random.nextInt(METRICS.size())),
        labels,
        from.plusMillis((long) (random.nextDouble() * within.toMillis())),
        random.nextInt(1_000),
        1000 + random.nextInt(40));
  }

  /**
   * All points that are complete. Of each series and open minute all, or none because they are
   * shown, or some and all are shown, or all and some are shown.
   */
  private List<RawPoint> stored() {
    List<RawPoint> stored = new ArrayList<>();
    Map<String, Integer> ways = new HashMap<>();
    for (RawPoint point : points) {
      String cell =
          point.organization()
              + point.environment()
              + point.metric()
              + point.labels()
              + Math.floorDiv(point.time().toEpochMilli(), MINUTE);
      int way =
          point.time().isBefore(COMPLETE)
              ? 0
              : ways.computeIfAbsent(cell, ignored -> random.nextInt(4));
      if (way == 1 || way == 2 || (way == 3 && random.nextBoolean())) {
        openMinutes.show(point);
      }
      if (way == 0 || way == 3 || (way == 2 && random.nextBoolean())) {
        stored.add(point);
      }
    }
    return stored;
  }

  @AfterEach
  void stop() {
    if (recent != null) {
      recent.close();
    }
  }

  @Test
  void answersAreThoseOfTheRawPoints() {
    MetricsQueryService queries = queries();
    Caller caller =
        new Caller(TENANT, new EnvironmentId("env-1"), "key", Set.of(Permission.METRICS_READ));
    int values = 0;
    int pages = 0;
    int both = 0;
    int spread = 0;
    for (int i = 0; i < 2_000; i++) {
      QueryDraft draft = draft();
      age();
      Map<List<String>, Map<Instant, List<Double>>> found = new HashMap<>();
      String token = null;
      do {
        int ofDruid = druid.asked();
        int ofLake = lake.asked();
        Answer answer = queries.answer(caller, "cloud", draft, token);
        for (Answer.Group group : answer.groups()) {
          Map<Instant, List<Double>> buckets = new HashMap<>();
          for (Answer.Point point : group.points()) {
            buckets.put(point.bucket(), point.values());
            spread += isSpreadAsItsQuantile(draft, point) ? 1 : 0;
          }
          assertThat(found.put(group.labels(), buckets)).as("group twice: " + draft).isNull();
        }
        both += druid.asked() > ofDruid && lake.asked() > ofLake ? 1 : 0;
        token = answer.nextPage().orElse(null);
        pages += token == null ? 0 : 1;
      } while (token != null);
      Map<List<String>, Map<Instant, List<Double>>> expected = recomputed(draft);
      assertThat(found.keySet()).as(draft.toString()).isEqualTo(expected.keySet());
      for (List<String> group : expected.keySet()) {
        if (!found.get(group).keySet().equals(expected.get(group).keySet())) {
          assertThat(found.get(group).keySet())
              .as(draft + " " + group)
              .isEqualTo(expected.get(group).keySet());
        }
        for (Instant bucket : expected.get(group).keySet()) {
          List<Double> one = found.get(group).get(bucket);
          List<Double> other = expected.get(group).get(bucket);
          for (int place = 0; place < other.size(); place++) {
            values++;
            if (!isSame(one.get(place), other.get(place))) {
              assertThat(one.get(place))
                  .as(draft + " " + group + " " + bucket)
                  .isEqualTo(other.get(place));
            }
          }
        }
      }
    }
    assertThat(values).isGreaterThan(20_000);
    assertThat(spread).as("distributions").isGreaterThan(200);
    assertThat(pages).isGreaterThan(100);
    assertThat(both).as("answers of both stores").isGreaterThan(200);
    assertThat(recent.answered()).as("answers from memory").isGreaterThan(200);
  }

  /** The distribution of a point is the one that its first quantile is of. */
  private static boolean isSpreadAsItsQuantile(QueryDraft draft, Answer.Point point) {
    if (!draft.distributions()) {
      assertThat(point.distribution()).isNull();
      return false;
    }
    for (int place = 0; place < draft.aggregations().size(); place++) {
      AggregationFunction function = draft.aggregations().get(place).function();
      if (function.isQuantile()) {
        assertThat(point.values().get(place).isNaN()).isEqualTo(point.distribution() == null);
        if (point.distribution() == null) {
          return false;
        }
        double median = point.distribution().quantile(function.quantile());
        // Within the extremes of the points, whose buckets are drawn apart from their values.
        assertThat(LongStream.of(point.distribution().counts())).allMatch(count -> count > 0);
        assertThat(median).isFinite();
        return true;
      }
    }
    throw new AssertionError("No quantile: " + draft);
  }

  /** Additions in another order differ in the last places. */
  private static boolean isSame(double one, double other) {
    return Double.isNaN(other)
        ? Double.isNaN(one)
        : Math.abs(one - other) <= Math.abs(other) * 1e-12 + 1e-12;
  }

  /** Druid lets go of each level at another time, and the lake has no more than it must. */
  private void age() {
    Map<Source, StoreTierRanges.Age> each = new EnumMap<>(Source.class);
    for (Source source : Source.values()) {
      long before = BEGIN.plus(Duration.ofDays(random.nextInt(5))).toEpochMilli();
      if (random.nextInt(4) == 0) {
        druid.keep(source, Long.MIN_VALUE, Long.MAX_VALUE);
        lake.keep(source, 0, 0);
      } else {
        druid.keep(source, before, Long.MAX_VALUE);
        lake.keep(source, Long.MIN_VALUE, before);
        each.put(source, new StoreTierRanges.Age(before, before));
      }
    }
    ages = new StoreTierRanges(each);
    if (random.nextBoolean()) {
      // Parts end where rows are in datasources of the organisation's own.
      ages = ages.withOwnFrom(BEGIN.plus(Duration.ofDays(random.nextInt(6))).toEpochMilli());
    }
  }

  private QueryDraft draft() {
    List<AggregationDraft> aggregations = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      AggregationFunction function = pick(AggregationFunction.values());
      TimeFunction time =
          function.isQuantile() || function == AggregationFunction.LAST || random.nextBoolean()
              ? null
              : pick(
                  new TimeFunction[] {
                    TimeFunction.SUM, TimeFunction.MIN, TimeFunction.MAX, TimeFunction.MEAN
                  });
      // Which of several last values of a moment counts is not said; time makes one here.
      aggregations.add(
          new AggregationDraft(METRICS.get(random.nextInt(METRICS.size())), function, time));
    }
    Granularity granularity = pick(Granularity.values());
    Duration max = granularity.maxInterval().orElse(Duration.ofDays(5));
    Instant start =
        random.nextInt(3) == 0
            ? COMPLETE.plusSeconds(random.nextInt(7200) - 3600)
            : BEGIN.plusSeconds((long) (random.nextDouble() * Duration.ofDays(5).toSeconds()));
    Duration length = Duration.ofSeconds(1 + (long) (random.nextDouble() * (max.toSeconds() - 1)));
    List<String> groupBy = new ArrayList<>();
    for (String key : KEYS) {
      if (random.nextInt(3) == 0) {
        groupBy.add(key);
      }
    }
    return new QueryDraft(
        aggregations,
        random.nextBoolean() ? null : filter(0),
        granularity,
        groupBy,
        List.of(start + "/" + length),
        granularity == Granularity.ALL ? 1000 : 1 + random.nextInt(8),
        List.of(),
        null,
        false,
        false,
        groupBy.isEmpty()
            && aggregations.stream().anyMatch(aggregation -> aggregation.function().isQuantile()));
  }

  private FilterDraft filter(int depth) {
    int choice = random.nextInt(depth > 2 ? 3 : 6);
    return switch (choice) {
      case 0, 1, 2 ->
          new FilterDraft(
              List.of("EQ", "GT", "GTE").get(choice),
              KEYS.get(random.nextInt(KEYS.size())),
              List.of("t1", "c2", "lkc-0", "lkc-1", "c0", "t2").get(random.nextInt(6)),
              List.of(),
              null);
      case 3, 4 ->
          new FilterDraft(
              choice == 3 ? "AND" : "OR",
              null,
              null,
              List.of(filter(depth + 1), filter(depth + 1)),
              null);
      default -> new FilterDraft("NOT", null, null, List.of(), filter(depth + 1));
    };
  }

  private <T> T pick(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** From the points alone, in the plainest way. */
  private Map<List<String>, Map<Instant, List<Double>>> recomputed(QueryDraft draft) {
    String[] sides = draft.intervals().get(0).split("/");
    Instant start = Instant.parse(sides[0]);
    Instant end = start.plus(Duration.parse(sides[1]));
    Map<List<String>, Map<Instant, Map<Integer, List<RawPoint>>>> groups = new HashMap<>();
    Set<String> metrics =
        draft.aggregations().stream().map(AggregationDraft::metric).collect(Collectors.toSet());
    for (RawPoint point : points) {
      long minute = Math.floorDiv(point.time().toEpochMilli(), MINUTE) * MINUTE;
      boolean isIn = start.toEpochMilli() <= minute && minute < end.toEpochMilli();
      if (!isIn
          || !metrics.contains(point.metric())
          || !point.organization().equals(TENANT.value())
          || (draft.filter() != null && !matches(draft.filter(), point))) {
        continue;
      }
      List<String> labels =
          new ArrayList<>(draft.groupBy().stream().map(point.labels()::get).toList());
      Instant bucket =
          draft
              .granularity()
              .width()
              .map(
                  width ->
                      Instant.ofEpochMilli(
                          Math.floorDiv(point.time().toEpochMilli(), width.toMillis())
                              * width.toMillis()))
              .orElse(start);
      for (int i = 0; i < draft.aggregations().size(); i++) {
        if (draft.aggregations().get(i).metric().equals(point.metric())) {
          groups
              .computeIfAbsent(labels, ignored -> new HashMap<>())
              .computeIfAbsent(bucket, ignored -> new HashMap<>())
              .computeIfAbsent(i, ignored -> new ArrayList<>())
              .add(point);
        }
      }
    }
    Map<List<String>, Map<Instant, List<Double>>> answer = new HashMap<>();
    groups.forEach(
        (labels, buckets) ->
            buckets.forEach(
                (bucket, each) -> {
                  List<Double> values = new ArrayList<>();
                  for (int i = 0; i < draft.aggregations().size(); i++) {
                    values.add(value(draft.aggregations().get(i), each.getOrDefault(i, List.of())));
                  }
                  answer.computeIfAbsent(labels, ignored -> new HashMap<>()).put(bucket, values);
                }));
    return answer;
  }

  private static boolean matches(FilterDraft filter, RawPoint point) {
    return switch (filter.op()) {
      case "AND" -> filter.filters().stream().allMatch(part -> matches(part, point));
      case "OR" -> filter.filters().stream().anyMatch(part -> matches(part, point));
      case "NOT" -> !matches(filter.filter(), point);
      default -> {
        String label = point.labels().get(filter.field());
        String value = (String) filter.value();
        yield label != null
            && switch (filter.op()) {
              case "EQ" -> label.equals(value);
              case "GT" -> label.compareTo(value) > 0;
              default -> label.compareTo(value) >= 0;
            };
      }
    };
  }

  private static double value(AggregationDraft aggregation, List<RawPoint> points) {
    if (points.isEmpty()) {
      return Double.NaN;
    }
    TimeFunction time = aggregation.timeFunction();
    boolean isGaugeSum =
        aggregation.metric().equals("level") && aggregation.function() == AggregationFunction.SUM;
    if (time == null && !isGaugeSum) {
      return plain(aggregation.function(), points);
    }
    Map<String, List<RawPoint>> series = new HashMap<>();
    points.forEach(
        point ->
            series
                .computeIfAbsent(point.environment() + point.labels(), key -> new ArrayList<>())
                .add(point));
    List<Double> values =
        series.values().stream()
            .map(
                each ->
                    plain(
                        switch (Optional.ofNullable(time).orElse(TimeFunction.MEAN)) {
                          case SUM -> AggregationFunction.SUM;
                          case MIN -> AggregationFunction.MIN;
                          case MAX -> AggregationFunction.MAX;
                          case COUNT -> AggregationFunction.COUNT;
                          case LAST -> AggregationFunction.LAST;
                          case MEAN -> AggregationFunction.AVG;
                        },
                        each))
            .toList();
    return ofNumbers(aggregation.function(), values);
  }

  private static double plain(AggregationFunction function, List<RawPoint> points) {
    if (function == AggregationFunction.LAST) {
      return points.stream()
          .max((one, other) -> one.time().compareTo(other.time()))
          .orElseThrow()
          .value();
    }
    if (function.isQuantile()) {
      List<Integer> buckets = points.stream().map(RawPoint::bucket).sorted().toList();
      int rank = (int) Math.max(1, Math.ceil(function.quantile() * buckets.size()));
      return within(Math.pow(2, (2 * (buckets.get(rank - 1) - 1025) + 1) / 16.0), points);
    }
    return ofNumbers(function, points.stream().map(RawPoint::value).toList());
  }

  private static double within(double estimate, List<RawPoint> points) {
    double least = points.stream().mapToDouble(RawPoint::value).min().orElseThrow();
    double max = points.stream().mapToDouble(RawPoint::value).max().orElseThrow();
    return Math.max(least, Math.min(max, estimate));
  }

  private static double ofNumbers(AggregationFunction function, List<Double> values) {
    double sum = values.stream().mapToDouble(Double::doubleValue).sum();
    return switch (function) {
      case SUM -> sum;
      case MIN -> values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
      case MAX -> values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
      case COUNT -> values.size();
      case AVG -> sum / values.size();
      default -> throw new IllegalArgumentException("Not of numbers: " + function);
    };
  }

  @Test
  void aFilterSaysOfLabelsWhatItSaysOfRows() {
    LabelFilter filter =
        new LabelFilter.Not(new LabelFilter.Greater(new LabelKey("metric.topic"), "t1", true));
    assertThat(filter.matches(Map.of())).isTrue();
    assertThat(filter.matches(Map.of("metric.topic", "t0"))).isTrue();
    assertThat(filter.matches(Map.of("metric.topic", "t1"))).isFalse();
  }
}
