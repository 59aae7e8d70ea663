package io.tidemark.platform.metricstore.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.GroupOrder;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.Store;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.SpanRecorder;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingDatabase;
import io.tidemark.platform.testing.TestingLake;
import io.tidemark.platform.testing.TestingStore;
import io.tidemark.platform.testing.TestingStore.RawPoint;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.TableMetadataParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions to real tables, in a real catalog, are answered as a plain store answers them. */
class LakeStoreIT {

  private static final Instant BEGIN = Instant.parse("2025-03-10T00:00:00Z");
  private static final int DAYS = 3;
  private static final TenantId TENANT = new TenantId("org-a");
  private static final List<LabelKey> KEYS =
      List.of(
          new LabelKey("metric.topic"),
          new LabelKey("metric.client"),
          new LabelKey("resource.kafka.id"),
          new LabelKey("resource.region"),
          LabelKey.ENVIRONMENT);
  private static final VisibleRows ALL = (organization, source) -> (environment, metric) -> 0;

  @TempDir private static Path folder;

  private static final Random RANDOM = new Random(20261121);
  private static TestingDatabase database;
  private static TestingLake lake;
  private static TestingStore expected;

  @BeforeAll
  static void write() {
    database = new TestingDatabase();
    lake = new TestingLake(database, folder);
    List<RawPoint> points = new ArrayList<>();
    for (int i = 0; i < 1_500; i++) {
      points.add(point(i));
    }
    expected = new TestingStore(points, List.of());
    for (Source source : Source.values()) {
      List<TestingStore.Row> rows = expected.rows(source);
      // Rows of the same series and time lie in several files and add up.
      lake.write(source, rows.subList(0, rows.size() / 2));
      lake.write(source, rows.subList(rows.size() / 2, rows.size()));
    }
  }

  @AfterAll
  static void close() throws Exception {
    lake.close();
    database.close();
  }

  private static RawPoint point(int i) {
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
        // org-17 falls into the bucket of other organisations, whichever that is.
        RANDOM.nextInt(3) == 0 ? "org-" + RANDOM.nextInt(40) : TENANT.value(),
        "env-" + RANDOM.nextInt(2),
        RANDOM.nextInt(3) == 0 ? "level" : "requests",
        labels,
        BEGIN.plusMillis(i * (DAYS * 86_400_000L / 1_500) + RANDOM.nextInt(1_000)),
        RANDOM.nextInt(1_000),
        1000 + RANDOM.nextInt(40));
  }

  private static LakeStore store(VisibleRows shown, int maxEntries) {
    return new LakeStore(
        new LakeCatalog(lake.place()),
        shown,
        Duration.ofSeconds(20),
        maxEntries,
        LakeStore.ScanMeter.NONE,
        SpanRecorder.NONE);
  }

  @Test
  void answersAreThoseOfTheRows() {
    LakeStore store = store(ALL, 100_000);
    int values = 0;
    for (int i = 0; i < 80; i++) {
      StoreQuery query = query();
      List<StoreRow> answer = store.run(TENANT, query);
      List<String> found = texts(query, answer);
      assertThat(found).as(query.toString()).isEqualTo(texts(query, expected.run(TENANT, query)));
      assertThat(answer).extracting(StoreRow::labels).isSortedAccordingTo(GroupOrder.GROUPS);
      assertThat(store.estimate(TENANT, query))
          .isGreaterThanOrEqualTo(expected.estimate(TENANT, query));
      values += found.size();
    }
    assertThat(values).isGreaterThan(1_000);
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
                figures.distribution.quantile(0.5) + "," + figures.distribution.quantile(0.9);
          };
      text.append(figure).append('=').append(value).append(' ');
    }
    return text.toString();
  }

  private static StoreQuery query() {
    Source source = Source.values()[RANDOM.nextInt(Source.values().length)];
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
    long width = source.level().width();
    long begin = BEGIN.toEpochMilli();
    long from = begin + RANDOM.nextInt((int) (DAYS * 86_400_000L / width)) * width;
    long to = from + (1 + RANDOM.nextInt((int) (DAYS * 86_400_000L / width))) * width;
    IntervalSet spans =
        IntervalSet.of(
            List.of(
                new TimeInterval(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to)),
                new TimeInterval(
                    Instant.ofEpochMilli(begin), Instant.ofEpochMilli(begin + width))));
    Granularity[] fitting =
        List.of(Granularity.values()).stream()
            .filter(source.level()::fits)
            .toArray(Granularity[]::new);
    boolean one = RANDOM.nextInt(3) == 0;
    return new StoreQuery(
        RANDOM.nextInt(4) == 0 ? Optional.empty() : Optional.of("requests"),
        RANDOM.nextBoolean() ? Optional.empty() : Optional.of(filter(0)),
        fitting[RANDOM.nextInt(fitting.length)],
        groupBy,
        new ScanSpec(
            source,
            Store.LAKE,
            spans,
            one ? Set.of("env-1") : Set.of(),
            one ? RANDOM.nextBoolean() : true),
        figures,
        shape,
        RANDOM.nextInt(3) == 0 ? 2 : 1_000,
        groupBy.isEmpty() || RANDOM.nextInt(3) > 0
            ? Optional.empty()
            : Optional.of(new ArrayList<>(groupBy.stream().map(LakeStoreIT::after).toList())),
        Lane.SLOW);
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

  private static StoreQuery minutes(List<LabelKey> groupBy, Instant from, Instant to) {
    return new StoreQuery(
        Optional.of("requests"),
        Optional.empty(),
        Granularity.PT1M,
        groupBy,
        new ScanSpec(
            Source.MINUTES,
            Store.LAKE,
            IntervalSet.of(List.of(new TimeInterval(from, to))),
            Set.of(),
            true),
        Set.of(AggregateColumn.SUM),
        new Shape.Flat(),
        1_000,
        Optional.empty(),
        Lane.SLOW);
  }

  private static StoreQuery everyMinute() {
    return minutes(List.of(LabelKey.ENVIRONMENT), BEGIN, BEGIN.plus(Duration.ofDays(DAYS)));
  }

  @Test
  void whatRetentionHidesIsNotShown() {
    Instant middle = BEGIN.plus(Duration.ofMinutes(2_000));
    List<StoreRow> rows =
        store(
                (organization, source) ->
                    (environment, metric) ->
                        environment.equals("env-0") ? middle.toEpochMilli() : Long.MAX_VALUE,
                100_000)
            .run(TENANT, everyMinute());
    assertThat(rows)
        .isNotEmpty()
        .allMatch(row -> row.labels().equals(List.of("env-0")) && !row.bucket().isBefore(middle));
  }

  @Test
  void filesOfOtherDaysTenantsAndMetricsAreNotRead() {
    LakeStore store = store(ALL, 100_000);
    StoreQuery day =
        minutes(List.of(), BEGIN.plus(Duration.ofHours(30)), BEGIN.plus(Duration.ofHours(31)));
    assertThat(store.pieces(TENANT, day)).isBetween(1, 2);
    assertThat(store.estimate(TENANT, day)).isBetween(1L, 500L);
    assertThat(store.pieces(TENANT, minutes(List.of(), BEGIN.minusSeconds(3_600), BEGIN))).isZero();
    assertThat(store.pieces(TENANT, everyMinute())).isGreaterThanOrEqualTo(DAYS);
  }

  @Test
  void noAnswerTakesMemoryWithoutBound() {
    assertThatThrownBy(() -> store(ALL, 100).run(TENANT, everyMinute()))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> assertThat(problem.code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE));
  }

  @Test
  void theKindOfAMetricIsThatOfItsRows() {
    LakeStore store = store(ALL, 100_000);
    assertThat(store.kindsOf(TENANT, "level")).containsExactly(MetricKind.GAUGE);
    assertThat(store.kindsOf(TENANT, "requests")).containsExactly(MetricKind.COUNTER);
    assertThat(store.kindsOf(TENANT, "unknown")).isEmpty();
  }

  /** The protocol, as far as a reader needs it, in front of the same tables. */
  @Test
  void aRestCatalogGivesTheSameAnswers() throws Exception {
    LakeCatalog tables = new LakeCatalog(lake.place());
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    List<String> asked = new CopyOnWriteArrayList<>();
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          asked.add(exchange.getRequestHeaders().getFirst("Authorization") + " " + path);
          String answer = "{\"defaults\": {}, \"overrides\": {}}";
          if (path.endsWith("/oauth/tokens")) {
            answer = "{\"access_token\": \"mine\", \"token_type\": \"bearer\"}";
          } else if (path.contains("/tables/")) {
            answer =
                tables.read(
                    path.substring(path.lastIndexOf('/') + 1),
                    table ->
                        "{\"metadata\": %s, \"config\": {}}"
                            .formatted(
                                TableMetadataParser.toJson(
                                    ((HasTableOperations) table).operations().current())));
          }
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    LakeCatalog.CatalogLocation place = lake.place();
    String uri = "http://127.0.0.1:" + server.getAddress().getPort();
    try (LakeCatalog rest =
        new LakeCatalog(
            new LakeCatalog.CatalogLocation(
                uri,
                "reader",
                "secret",
                Map.of(),
                place.warehouse(),
                place.namespace(),
                place.access()))) {
      LakeStore store =
          new LakeStore(
              rest,
              ALL,
              Duration.ofSeconds(20),
              100_000,
              LakeStore.ScanMeter.NONE,
              SpanRecorder.NONE);
      StoreQuery query = everyMinute();
      assertThat(texts(query, store.run(TENANT, query)))
          .isEqualTo(texts(query, expected.run(TENANT, query)))
          .isNotEmpty();
      assertThat(asked).anyMatch(one -> one.startsWith("Bearer mine ") && one.contains("/tables/"));

      server.stop(0);
      assertThatThrownBy(() -> store.run(TENANT, everyMinute())).satisfies(LakeStoreIT::isAway);
    } finally {
      server.stop(0);
      tables.close();
    }
  }

  @Test
  void aLakeThatIsAwayIsNeverAHalfAnswer() throws Exception {
    LakeCatalog.CatalogLocation place = lake.place();
    LakeStore nowhere =
        new LakeStore(
            new LakeCatalog(
                new LakeCatalog.CatalogLocation(
                    "jdbc:postgresql://127.0.0.1:1/iceberg",
                    place.user(),
                    place.password(),
                    place.properties(),
                    place.warehouse(),
                    place.namespace(),
                    place.access())),
            ALL,
            Duration.ofSeconds(20),
            100,
            LakeStore.ScanMeter.NONE,
            SpanRecorder.NONE);
    assertThatThrownBy(() -> nowhere.estimate(TENANT, everyMinute()))
        .satisfies(LakeStoreIT::isAway);
    assertThatThrownBy(() -> nowhere.run(TENANT, everyMinute())).satisfies(LakeStoreIT::isAway);

    LakeStore store = store(ALL, 100_000);
    store.run(TENANT, everyMinute());
    List<Path> data;
    try (Stream<Path> files = Files.list(folder)) {
      data = files.filter(file -> file.getFileName().toString().startsWith("data-")).toList();
    }
    for (Path file : data) {
      Files.move(file, folder.resolve("away-" + file.getFileName()));
    }
    assertThatThrownBy(() -> store.run(TENANT, everyMinute())).satisfies(LakeStoreIT::isAway);
    for (Path file : data) {
      Files.move(folder.resolve("away-" + file.getFileName()), file);
    }
    assertThat(store.run(TENANT, everyMinute())).isNotEmpty();
  }

  private static void isAway(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
              assertThat(problem.retryAfter()).isPresent();
            });
  }
}
