package io.tidemark.platform.metricstore.recent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.GroupOrder;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.Store;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingRecentRows;
import io.tidemark.platform.testing.TestingStore;
import io.tidemark.platform.testing.TestingStore.RawPoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Questions to rows in memory are answered as a plain store answers them. */
class RecentRowsTest {

  private static final Instant BEGIN = Instant.parse("2026-03-10T00:00:00Z");
  private static final int MINUTES = 180;
  private static final Clock NOW =
      Clock.fixed(BEGIN.plus(Duration.ofMinutes(MINUTES)), ZoneOffset.UTC);
  private static final TenantId TENANT = new TenantId("org-a");
  private static final List<LabelKey> KEYS =
      List.of(
          new LabelKey("metric.topic"),
          new LabelKey("metric.client"),
          new LabelKey("resource.kafka.id"),
          new LabelKey("resource.region"),
          LabelKey.ENVIRONMENT);
  private static final VisibleRows ALL = (organization, source) -> (environment, metric) -> 0;
  private static final RecentRowConsumer.Size LARGE =
      new RecentRowConsumer.Size(Duration.ofMinutes(MINUTES), 100_000, 100_000);

  private static final Random RANDOM = new Random(20261121);

  private final TestingStore expected = expected();

  private static TestingStore expected() {
    List<RawPoint> points = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      points.add(point());
    }
    return new TestingStore(points, List.of());
  }

  private static RawPoint point() {
    Map<String, String> labels = new TreeMap<>();
    labels.put("resource.kafka.id", "lkc-" + RANDOM.nextInt(2));
    labels.put("metric.topic", "t" + RANDOM.nextInt(3));
    if (RANDOM.nextInt(4) > 0) {
      labels.put("metric.client", "c" + RANDOM.nextInt(5));
    }
    if (RANDOM.nextInt(3) == 0) {
      labels.put("resource.region", RANDOM.nextBoolean() ? "" : "eu");
    }
    return new RawPoint(
        RANDOM.nextInt(3) == 0 ? "org-" + RANDOM.nextInt(40) : TENANT.value(),
        "env-" + RANDOM.nextInt(2),
        RANDOM.nextInt(3) == 0 ? "level" : "requests",
        labels,
        BEGIN.plusMillis(RANDOM.nextInt(MINUTES * 60_000)),
        RANDOM.nextInt(1_000),
        RANDOM.nextInt(3) == 0 ? null : 1000 + RANDOM.nextInt(40));
  }

  private TestingRecentRows recent(VisibleRows shown, RecentRowConsumer.Size size) {
    return new TestingRecentRows(expected.rows(Source.MINUTES), shown, size, NOW);
  }

  @Test
  void answersAreThoseOfTheRows() {
    int values = 0;
    try (TestingRecentRows recent = recent(ALL, LARGE)) {
      for (int i = 0; i < 2_000; i++) {
        StoreQuery query = query();
        List<StoreRow> answer = recent.rows(TENANT, query).orElseThrow();
        List<String> found = texts(query, answer);
        assertThat(found).as(query.toString()).isEqualTo(texts(query, expected.run(TENANT, query)));
        if (query.largestFirst().isEmpty()) {
          assertThat(answer).extracting(StoreRow::labels).isSortedAccordingTo(GroupOrder.GROUPS);
        }
        values += found.size();
      }
    }
    assertThat(values).isGreaterThan(50_000);
  }

  @Test
  void whatRetentionHidesIsNotShown() {
    Instant middle = BEGIN.plus(Duration.ofMinutes(100));
    VisibleRows some =
        (organization, source) ->
            (environment, metric) ->
                environment.equals("env-0") ? middle.toEpochMilli() : Long.MAX_VALUE;
    try (TestingRecentRows recent = recent(some, LARGE)) {
      assertThat(recent.rows(TENANT, minutes(BEGIN)).orElseThrow())
          .isNotEmpty()
          .allMatch(row -> row.labels().equals(List.of("env-0")) && !row.bucket().isBefore(middle));
    }
  }

  @Test
  void whatReachesBackBeyondWhatIsKeptIsNotAnsweredInHalf() {
    try (TestingRecentRows recent = recent(ALL, LARGE)) {
      assertThat(recent.rows(TENANT, minutes(BEGIN))).isPresent();
      assertThat(recent.rows(TENANT, minutes(BEGIN.minusSeconds(60)))).isEmpty();
      assertThat(recent.estimate(TENANT, minutes(BEGIN.minusSeconds(60)))).isEmpty();
      StoreQuery hours =
          new StoreQuery(
              Optional.of("requests"),
              Optional.empty(),
              Granularity.PT1H,
              List.of(),
              ScanSpec.of(Source.HOURS, minutes(BEGIN).part().spans()),
              Set.of(AggregateColumn.SUM),
              new Shape.Flat(),
              1,
              Optional.empty(),
              Lane.INTERACTIVE);
      assertThat(recent.rows(TENANT, hours)).as("rows of hours").isEmpty();
    }
  }

  private static StoreQuery minutes(Instant from) {
    return new StoreQuery(
        Optional.of("requests"),
        Optional.empty(),
        Granularity.PT1M,
        List.of(LabelKey.ENVIRONMENT),
        ScanSpec.of(
            Source.MINUTES,
            IntervalSet.of(
                List.of(new TimeInterval(from, BEGIN.plus(Duration.ofMinutes(MINUTES)))))),
        Set.of(AggregateColumn.SUM),
        new Shape.Flat(),
        1_000,
        Optional.empty(),
        Lane.INTERACTIVE);
  }

  private static List<String> texts(StoreQuery query, List<StoreRow> rows) {
    return rows.stream()
        .map(
            row ->
                row.labels()
                    + " "
                    + (query.granularity() == Granularity.ALL ? "" : row.bucket())
                    + " "
                    + row.series()
                    + " "
                    + text(query, row.figures()))
        .sorted()
        .toList();
  }

  private static String text(StoreQuery query, AggregateState figures) {
    StringBuilder text = new StringBuilder();
    for (AggregateColumn figure : EnumSet.copyOf(query.figures())) {
      String value =
          switch (figure) {
            case SUM -> String.valueOf(Math.round(figures.sum * 1e6));
            case COUNT -> String.valueOf(figures.count);
            case MIN -> String.valueOf(figures.min);
            case MAX -> String.valueOf(figures.max);
            case LAST -> figures.last + "@" + figures.lastAt;
            case DISTRIBUTION ->
                figures.distribution == null
                    ? "none"
                    : figures.distribution.quantile(0.5) + "," + figures.distribution.quantile(0.9);
          };
      text.append(figure).append('=').append(value).append(' ');
    }
    return text.toString();
  }

  private static StoreQuery query() {
    List<LabelKey> groupBy = new ArrayList<>();
    KEYS.stream().filter(key -> RANDOM.nextInt(3) == 0).forEach(groupBy::add);
    Shape shape =
        switch (RANDOM.nextInt(3)) {
          case 0 -> new Shape.Flat();
          case 1 -> new Shape.BySeries();
          default ->
              new Shape.SeriesFirst(
                  TimeFunction.values()[RANDOM.nextInt(TimeFunction.values().length)]);
        };
    Set<AggregateColumn> figures =
        EnumSet.of(AggregateColumn.values()[RANDOM.nextInt(AggregateColumn.values().length)]);
    figures.add(AggregateColumn.COUNT);
    if (shape instanceof Shape.SeriesFirst) {
      figures = EnumSet.of(AggregateColumn.SUM, AggregateColumn.COUNT, AggregateColumn.MIN);
    }
    Granularity granularity = Granularity.values()[RANDOM.nextInt(Granularity.values().length)];
    boolean isOrdered =
        granularity == Granularity.ALL
            && !groupBy.isEmpty()
            && shape instanceof Shape.Flat
            && RANDOM.nextBoolean();
    int from = RANDOM.nextInt(MINUTES);
    int to = from + 1 + RANDOM.nextInt(MINUTES);
    int first = RANDOM.nextInt(MINUTES);
    boolean one = RANDOM.nextInt(3) == 0;
    return new StoreQuery(
        // Series of different metrics are different, but not those of the store of the test.
        shape instanceof Shape.Flat && RANDOM.nextInt(4) == 0
            ? Optional.empty()
            : Optional.of("requests"),
        RANDOM.nextBoolean() ? Optional.empty() : Optional.of(filter(0)),
        granularity,
        groupBy,
        new ScanSpec(
            Source.MINUTES,
            Store.DRUID,
            IntervalSet.of(List.of(interval(from, to), interval(first, first + 1))),
            one ? Set.of("env-1") : Set.of(),
            one ? RANDOM.nextBoolean() : true),
        figures,
        shape,
        RANDOM.nextInt(3) == 0 ? 2 : 1_000,
        groupBy.isEmpty() || isOrdered || RANDOM.nextInt(3) > 0
            ? Optional.empty()
            : Optional.of(new ArrayList<>(groupBy.stream().map(RecentRowsTest::after).toList())),
        Lane.INTERACTIVE,
        isOrdered ? Optional.of(AggregateColumn.COUNT) : Optional.empty());
  }

  private static TimeInterval interval(int from, int to) {
    return new TimeInterval(
        BEGIN.plus(Duration.ofMinutes(from)), BEGIN.plus(Duration.ofMinutes(to)));
  }

  private static String after(LabelKey key) {
    return switch (key.value()) {
      case "metric.topic" -> "t0";
      case "metric.client" -> RANDOM.nextBoolean() ? null : "c1";
      case "resource.region" -> "";
      case "environment.id" -> "env-0";
      default -> "lkc-0";
    };
  }

  private static LabelFilter filter(int depth) {
    LabelKey key = KEYS.get(RANDOM.nextInt(KEYS.size()));
    String value = List.of("t1", "c2", "lkc-0", "eu", "", "env-1").get(RANDOM.nextInt(6));
    return switch (RANDOM.nextInt(depth > 1 ? 4 : 7)) {
      case 0 -> new LabelFilter.Equal(key, value);
      case 1 -> new LabelFilter.In(key, Set.of(value, "t2", "c3"));
      case 2 -> new LabelFilter.Greater(key, value, RANDOM.nextBoolean());
      case 3 -> new LabelFilter.Present(key);
      case 4 -> new LabelFilter.Every(List.of(filter(depth + 1), filter(depth + 1)));
      case 5 -> new LabelFilter.Any(List.of(filter(depth + 1), filter(depth + 1)));
      default -> new LabelFilter.Not(filter(depth + 1));
    };
  }
}
