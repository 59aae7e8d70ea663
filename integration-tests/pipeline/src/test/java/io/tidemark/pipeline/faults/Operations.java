package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.ChangedCheckout;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RowFigures;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.Progress;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.TidemarkStack;
import io.tidemark.stack.engine.DeletedTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code make test-operations}: what docs/operations says, done on the real stack while points
 * flow; afterwards the ledger of acknowledged points equals what Druid and the lake hold.
 */
@ExtendWith(RunningStack.class)
@Isolated("the whole stack is restarted and restored")
class Operations {
  private static final Duration PATIENCE = Duration.ofSeconds(300);

  /** Hours and days of the present are not complete: these points are in some that are. */
  private static final Duration OLDER = Duration.ofHours(30);

  private static final String ORGANIZATION = "org-ledger";
  private static final String POINTS = "telemetry.points.v1";

  /** Nobody sends for it but the operation that places it, and its key may delete. */
  private static final String LARGE = "org-demo";

  /** Points of before a placement that {@link #OLDER} ones are behind. */
  private static final Duration OLDEST = Duration.ofHours(54);

  private static final Instant FOREVER = Instant.parse("2100-01-01T00:00:00Z");

  /** A deletion ends when the pipeline is complete beyond what was accepted. */
  private static final Duration CERTIFIED = Duration.ofMinutes(12);

  private final RunningStack.Started stack = RunningStack.get();
  private final Instant from = Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(600);
  private final StoredLedger ledger = new StoredLedger(stack, ORGANIZATION, from);

  private LedgerLoad load(String metric) {
    return new LedgerLoad(
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION)),
        metric,
        new LedgerLoad.Habits(Duration.ofMinutes(20), 0, Duration.ZERO, 0));
  }

  private static void awaitMore(LedgerLoad load) throws InterruptedException {
    long before = load.acknowledged();
    Await.until("load flows", PATIENCE, load::acknowledged, now -> now > before + 2_000);
  }

  /**
   * The next version has another argument of the rollup job and more partitions of points: jobs are
   * replaced by a savepoint, partitions are added. Then back to the version before; partitions
   * stay.
   */
  @Test
  void anUpgradeAndTheWayBackLoseNothingAndAddPartitions() throws Exception {
    Path next =
        ChangedCheckout.of(
            stack.settings().root(),
            stack.settings().root().resolve("integration-tests/pipeline/target/next-version"),
            Map.of(
                "infra/flink/jobs.yaml",
                text ->
                    text.replace(
                        "live.cells-per-second: \"20000\"", "live.cells-per-second: \"19000\""),
                "infra/kafka/topics.yaml",
                text ->
                    text.replaceFirst(
                        "(name: telemetry\\.points\\.v1\\s(?:\\s*#.*)*\\s*partitions: )\\d+",
                        "$1" + (partitions() + 2))));
    StackSettings settings = stack.settings();
    TidemarkStack upgraded =
        new TidemarkStack(
            new StackSettings(
                next,
                settings.home(),
                settings.engines(),
                settings.ports(),
                settings.environment()),
            Progress.console());
    int before = partitions();
    try (LedgerLoad load = load("operations.upgrade")) {
      awaitMore(load);
      upgraded.up();
      assertThat(partitions()).isEqualTo(before + 2);
      awaitMore(load);
      stack.stack().up();
      assertThat(partitions()).isEqualTo(before + 2);
      awaitMore(load);
      load.finish();
      ledger.assertHolds("operations.upgrade", load);
    }
  }

  /**
   * PostgreSQL is lost, and restored to a moment before the end: the lake, whose rows were not
   * lost, is whole again, what was changed after the moment is gone, and no point is missing or
   * doubled.
   */
  @Test
  void aDatabaseRestoredToAMomentFitsLakeAndTopicsAgain() throws Exception {
    PostgresBackup backup =
        new PostgresBackup(stack, stack.settings().home().resolve("backup").toAbsolutePath());
    try (LedgerLoad load = load("operations.restore")) {
      backup.archiveLog();
      awaitMore(load);
      backup.takeBase();
      assertThat(declare("operations.before")).isEqualTo(201);
      Instant moment = backup.now();
      assertThat(declare("operations.after")).isEqualTo(201);
      String pointer =
          "SELECT metadata_location FROM iceberg_tables WHERE table_name = 'raw_points'";
      String then = backup.ask("iceberg", pointer);
      Await.until(
          "the lake commits after the moment",
          PATIENCE,
          () -> backup.ask("iceberg", pointer),
          now -> !now.equals(then));
      awaitMore(load);
      backup.awaitArchived();

      List<String> stopped = List.of("platform-api", "flink-taskmanager", "flink-jobmanager");
      for (String component : stopped) {
        stack.stack().stop(component);
      }
      stack.stack().kill("postgres");
      backup.restore(moment);
      List<String> told = stack.stack().followRestoredDatabase(moment);
      System.out.println("OPERATIONS " + told);
      assertThat(told).anyMatch(line -> line.startsWith("raw_points is as of "));
      stack.stack().up();

      awaitMore(load);
      load.finish();
      ledger.assertHolds("operations.restore", load);
      assertThat(declare("operations.before")).as("declared before the moment").isEqualTo(409);
      assertThat(declare("operations.after")).as("declared after it").isEqualTo(201);
    }
  }

  /**
   * Both roles of platform-api get another password: the old ones are refused, no point is lost.
   */
  @Test
  void passwordsAreRotatedUnderLoad() throws Exception {
    String metric = "operations.rotation";
    Login application =
        new Login("TIDEMARK_POSTGRES", "tidemark_application", secret("POSTGRES_APPLICATION"));
    Login reader =
        new Login("TIDEMARK_ICEBERG_CATALOG", "tidemark_catalog_reader", secret("CATALOG_READER"));
    assertThat(List.of(application, reader)).allMatch(this::isTaken);
    try (LedgerLoad load = load(metric)) {
      awaitMore(load);
      stack.stack().rotate("application-password");
      stack.stack().rotate("catalog-reader-password");
      new TidemarkStack(stack.settings(), Progress.console()).up();
      awaitMore(load);
      load.finish();
      assertThat(List.of(application, reader)).as("old ones").noneMatch(this::isTaken);
      assertThat(
              List.of(
                  application.with(secret("POSTGRES_APPLICATION")),
                  reader.with(secret("CATALOG_READER"))))
          .as("new ones")
          .allMatch(this::isTaken);
      ledger.assertHolds(metric, load);
    }
  }

  /**
   * @param database the coordinate of it
   */
  private record Login(String database, String role, String password) {
    Login with(String other) {
      return new Login(database, role, other);
    }

    /** Without the password, which a failure would print. */
    @Override
    public String toString() {
      return role;
    }
  }

  private String secret(String role) {
    return EnvironmentFile.read(stack.settings().home().resolve("secrets.env"))
        .get("TIDEMARK_" + role + "_PASSWORD");
  }

  private boolean isTaken(Login login) {
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:" + stack.coordinates().get(login.database()), login.role(), login.password())) {
      return connection.isValid(5);
    } catch (SQLException refused) {
      return false;
    }
  }

  /**
   * Druid is lost whole, and the topics no longer have the beginning: what they have not comes back
   * from the lake, what came since from the topics, while points flow. Whoever ends a rebuild half
   * way and runs it again, or runs it where nothing was lost, has each row once, too: minutes,
   * hours and days are the ledger's each time.
   */
  @Test
  void druidIsRebuiltFromTheLakeWhileRowsStream() throws Exception {
    String lost = "operations.rebuild";
    String interrupted = "operations.rebuild-again";
    try (LedgerLoad before = loadWithOlder(lost)) {
      awaitMore(before);
      long sent = before.acknowledged();
      Await.until(
          "the lake holds what was sent",
          PATIENCE,
          () -> new LakeReader(stack).read(ORGANIZATION, lost),
          read ->
              read.at("/rollup_1m/count").asLong() >= sent
                  && read.at("/rollup_1h/rows").asLong() > 0
                  && read.at("/rollup_1d/rows").asLong() > 0);
      loseDruid();
      List<String> emptied = forgetBeginnings();
      System.out.println("OPERATIONS topics begin at " + emptied);
      stack.stack().up();
      awaitMore(before);
      rebuild();
      awaitMore(before);
      before.finish();
      assertRebuilt(lost, before);

      try (LedgerLoad after = loadWithOlder(interrupted)) {
        awaitMore(after);
        assertThatThrownBy(
                () -> new TidemarkStack(stack.settings(), endingHalfWay()).rebuildDruid())
            .hasMessageContaining("half way");
        stack.stack().up();
        assertThat(stack.stack().druidDrift())
            .as("supervisors wait until a rebuild comes to its end")
            .isNotEmpty();
        awaitMore(after);
        rebuild();
        awaitMore(after);
        after.finish();
        assertRebuilt(lost, before);
        assertRebuilt(interrupted, after);

        rebuild();
        assertRebuilt(lost, before);
        assertRebuilt(interrupted, after);
      }
    }
  }

  private LedgerLoad loadWithOlder(String metric) {
    return new LedgerLoad(
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION)),
        metric,
        new LedgerLoad.Habits(Duration.ofMinutes(20), 0, OLDER, 0));
  }

  /** Fails when days, hours and the newest minutes are loaded, and no others are. */
  private static Progress endingHalfWay() {
    Progress console = Progress.console();
    return line -> {
      console.line(line);
      if (line.matches("  rollup_1m +\\d{4}-\\d\\d-\\d\\d, .*")) {
        throw new IllegalStateException("ended half way");
      }
    };
  }

  private void rebuild() throws Exception {
    long began = System.nanoTime();
    stack.stack().rebuildDruid();
    System.out.printf("OPERATIONS rebuilt in %d s%n", (System.nanoTime() - began) / 1_000_000_000);
  }

  private void assertRebuilt(String metric, LedgerLoad load) throws Exception {
    ledger.assertHolds(metric, load);
    assertLevels(metric, load);
    assertThat(stack.stack().druidDrift()).as("as declared again").isEmpty();
  }

  private void loseDruid() throws Exception {
    List<String> components =
        stack.stack().status().stream()
            .map(TidemarkStack.ComponentStatus::id)
            .filter(id -> id.startsWith("druid-"))
            .toList();
    for (String component : components) {
      stack.stack().kill(component);
    }
    DeletedTree.delete(stack.settings().data("druid"));
    for (String component : components) {
      DeletedTree.delete(stack.settings().data(component));
    }
  }

  /** As after seven days: the topics of rows begin where the lake job has read to. */
  private List<String> forgetBeginnings() throws Exception {
    try (Admin admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                stack.coordinates().get("TIDEMARK_KAFKA")))) {
      Map<TopicPartition, RecordsToDelete> read = new HashMap<>();
      admin
          .listConsumerGroupOffsets("tidemark-lake")
          .partitionsToOffsetAndMetadata()
          .get()
          .forEach(
              (partition, offset) -> {
                if (partition.topic().startsWith("telemetry.rollup-") && offset.offset() > 0) {
                  read.put(partition, RecordsToDelete.beforeOffset(offset.offset()));
                }
              });
      assertThat(read).isNotEmpty();
      admin.deleteRecords(read).all().get();
      return read.entrySet().stream()
          .map(entry -> entry.getKey() + "=" + entry.getValue().beforeOffset())
          .sorted()
          .toList();
    }
  }

  /**
   * By Druid itself: minutes, and hours and days that are over; a tenth of the points is in them.
   */
  private void assertLevels(String metric, LedgerLoad load) throws Exception {
    assertLevel("rollup_1m", "minute", ChronoUnit.MINUTES, Instant.now(), metric, load);
    Instant over = Instant.now().minus(2, ChronoUnit.HOURS);
    assertLevel("rollup_1h", "hour", ChronoUnit.HOURS, over, metric, load);
    assertLevel("rollup_1d", "day", ChronoUnit.DAYS, over, metric, load);
  }

  private void assertLevel(
      String datasource,
      String granularity,
      ChronoUnit unit,
      Instant until,
      String metric,
      LedgerLoad load)
      throws Exception {
    DruidRows druid = new DruidRows(stack.coordinates().get("TIDEMARK_DRUID"));
    Instant begin = from.minus(OLDER).minus(2, ChronoUnit.HOURS).truncatedTo(unit);
    Instant end = until.truncatedTo(unit);
    TreeMap<Bucket, RowFigures> expected = new TreeMap<>();
    load.figures()
        .forEach(
            (bucket, row) -> {
              if (bucket.time().isBefore(end)) {
                expected.merge(
                    new Bucket(bucket.time().truncatedTo(unit), bucket.group()),
                    row,
                    RowFigures::plus);
              }
            });
    assertThat(expected).isNotEmpty();
    Await.until(
        datasource + " equals the ledger",
        PATIENCE,
        () -> druid.figures(datasource, granularity, metric, "worker", begin, end),
        expected::equals);
  }

  /**
   * A tenant gets datasources of its own while it and another one send, and an indexer dies: rows
   * from a day on are in them and older ones are not, however late they come; answers by minute,
   * hour and day are the ledger's. A deletion finds rows on both sides, and a rebuild puts each
   * where it was.
   */
  @Test
  void aLargeTenantGetsDatasourcesOfItsOwn() throws Exception {
    String metric = "operations.placed";
    String late = "operations.placed-late";
    String other = "operations.beside";
    Instant placed = Instant.now().minus(OLDER).truncatedTo(ChronoUnit.DAYS);
    DruidRows druid = new DruidRows(stack.coordinates().get("TIDEMARK_DRUID"));
    TreeMap<Bucket, RowFigures> before = sendOldest(metric);
    long oldest = count(before);
    Await.until(
        "rows of before are in the shared datasource",
        PATIENCE,
        () -> count(druid.figures("rollup_1m", "day", metric, "", placed.minus(OLDEST), placed)),
        counted -> counted == oldest);

    try (LedgerLoad beside = load(ORGANIZATION, other, OLDEST)) {
      awaitMore(beside);
      place(placed);
      assertThat(stack.stack().druidDrift()).as("as declared").isEmpty();
      try (LedgerLoad own = load(LARGE, metric, OLDER);
          LedgerLoad ownLate = load(LARGE, late, OLDEST)) {
        awaitMore(own);
        stack.stack().kill("druid-indexer");
        awaitMore(ownLate);
        stack.stack().up();
        awaitMore(own);
        awaitMore(ownLate);
        own.finish();
        ownLate.finish();
        beside.finish();
        TreeMap<Bucket, RowFigures> all = new TreeMap<>(own.figures());
        before.forEach((bucket, row) -> all.merge(bucket, row, RowFigures::plus));
        assertAnswers(LARGE, metric, all);
        assertAnswers(LARGE, late, ownLate.figures());
        assertAnswers(ORGANIZATION, other, beside.figures());
        assertApart(placed);

        Instant today = Instant.now().truncatedTo(ChronoUnit.DAYS);
        JsonNode certificate = deleteBefore(metric, today);
        System.out.println("OPERATIONS " + certificate.path("druid"));
        long gone = count(all.headMap(new Bucket(today, "")));
        for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
          assertThat(removed(certificate, level)).as("removed from " + level).isEqualTo(oldest);
          assertThat(removed(certificate, level + "_large"))
              .as("removed from the own " + level)
              .isEqualTo(gone - oldest);
        }
        all.headMap(new Bucket(today, "")).clear();
        assertAnswers(LARGE, metric, all);
        assertAnswers(LARGE, late, ownLate.figures());
        assertAnswers(ORGANIZATION, other, beside.figures());
        assertApart(placed);

        rebuild();
        assertThat(stack.stack().druidDrift()).as("as declared again").isEmpty();
        // The topics still have what was deleted: docs/operations/rebuild-druid.md.
        assertAnswers(LARGE, metric, all);
        assertAnswers(LARGE, late, ownLate.figures());
        assertAnswers(ORGANIZATION, other, beside.figures());
        assertApart(placed);
      }
    }
  }

  private LedgerLoad load(String organization, String metric, Duration older) {
    return new LedgerLoad(
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(organization)),
        metric,
        new LedgerLoad.Habits(Duration.ofMinutes(20), 0, older, 0));
  }

  /** Points of before the placement, the only ones of the tenant until it is placed. */
  private TreeMap<Bucket, RowFigures> sendOldest(String metric) throws Exception {
    List<OtlpSender.Point> points = new ArrayList<>();
    TreeMap<Bucket, RowFigures> figures = new TreeMap<>();
    Instant first = Instant.now().minus(OLDEST).truncatedTo(ChronoUnit.MINUTES);
    for (int i = 0; i < 100; i++) {
      Instant time = first.plusSeconds(i);
      String worker = "w" + i % 10;
      points.add(new OtlpSender.Point(metric, Map.of("worker", worker), time, i + 1));
      figures.merge(
          new Bucket(time.truncatedTo(ChronoUnit.MINUTES), worker),
          RowFigures.of(i + 1),
          RowFigures::plus);
    }
    int status =
        new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(LARGE))
            .send(OtlpSender.batch("ledger", points).toByteArray())
            .statusCode();
    assertThat(status).isEqualTo(200);
    return figures;
  }

  private static long count(Map<Bucket, RowFigures> figures) {
    return figures.values().stream().mapToLong(RowFigures::count).sum();
  }

  /** As docs/operations/large-tenant.md says, and tries to take it back. */
  private void place(Instant placed) throws Exception {
    Path placements = stack.settings().root().resolve(RunningStack.PLACEMENTS);
    Path indexer = stack.settings().root().resolve(RunningStack.INDEXER);
    Files.writeString(
        indexer,
        Files.readString(indexer)
            .replaceFirst("druid.worker.capacity=\\d+", "druid.worker.capacity=12"));
    stack.stack().up();
    Await.until(
        "the other tenant has rows of that time",
        PATIENCE,
        () -> rows("rollup_1m", of(ORGANIZATION), placed, FOREVER),
        rows -> rows > 0);
    String text =
        "[{\"organization_id\":\"%s\",\"name\":\"large\",\"from\":\"%s\"}]"
            .formatted(LARGE, placed);
    Files.writeString(placements, text.replace(LARGE, ORGANIZATION));
    assertThatThrownBy(() -> stack.stack().up())
        .as("it has rows of that time")
        .hasMessageContaining(ORGANIZATION + " has ")
        .hasMessageContaining("in shared datasources");
    Files.writeString(placements, text);
    long began = System.nanoTime();
    stack.stack().up();
    System.out.printf("OPERATIONS placed in %d s%n", (System.nanoTime() - began) / 1_000_000_000);
    Files.writeString(placements, "[]");
    assertThatThrownBy(() -> stack.stack().up())
        .as("once made it never changes")
        .hasMessageContaining("never changes");
    Files.writeString(placements, text);
  }

  /** By the Metrics API: minutes of each time that points are of, hours and days of all. */
  private void assertAnswers(String tenant, String metric, TreeMap<Bucket, RowFigures> figures)
      throws Exception {
    MetricsQuery query =
        new MetricsQuery(stack.coordinates().get("TIDEMARK_URL"), stack.authorization(tenant));
    Instant begin = from.minus(OLDEST).truncatedTo(ChronoUnit.DAYS);
    Instant end = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS);
    for (Duration age : List.of(Duration.ZERO, OLDER, OLDEST)) {
      Instant first = from.minus(age).minusSeconds(600);
      assertAnswer(
          query, metric, "PT1M", ChronoUnit.MINUTES, first, first.plusSeconds(7_200), figures);
    }
    assertAnswer(query, metric, "PT1H", ChronoUnit.HOURS, begin, end, figures);
    assertAnswer(query, metric, "P1D", ChronoUnit.DAYS, begin, end, figures);
  }

  private static void assertAnswer(
      MetricsQuery query,
      String metric,
      String granularity,
      ChronoUnit unit,
      Instant begin,
      Instant end,
      TreeMap<Bucket, RowFigures> figures)
      throws Exception {
    TreeMap<Bucket, Double> expected = new TreeMap<>();
    figures.forEach(
        (bucket, row) -> {
          if (!bucket.time().isBefore(begin) && bucket.time().isBefore(end)) {
            expected.merge(
                new Bucket(bucket.time().truncatedTo(unit), bucket.group()),
                row.sum(),
                Double::sum);
          }
        });
    ObjectNode body =
        MetricsQuery.body(metric, "SUM", granularity, begin, end, List.of("metric.worker"));
    Await.until(
        metric + " by " + granularity + " from " + begin + " equals the ledger",
        PATIENCE,
        () -> query.ask("cloud", body),
        expected::equals);
  }

  /** By Druid itself: each datasource has rows of its side alone. */
  private void assertApart(Instant placed) throws Exception {
    ObjectNode large = of(LARGE);
    ObjectNode others = JsonHttp.JSON.createObjectNode().put("type", "not");
    others.set("field", large);
    for (String level : List.of("rollup_1m", "rollup_1m_hc", "rollup_1h", "rollup_1d")) {
      String own = level + "_large";
      assertThat(rows(level, large, placed, FOREVER)).as("of the tenant in " + level).isZero();
      assertThat(rows(own, large, Instant.EPOCH, placed)).as("older ones in " + own).isZero();
      assertThat(rows(own, others, Instant.EPOCH, FOREVER)).as("of others in " + own).isZero();
    }
    for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      assertThat(rows(level, large, Instant.EPOCH, placed))
          .as("older ones in " + level)
          .isPositive();
    }
    assertThat(rows("rollup_1m", others, placed, FOREVER)).as("of others").isPositive();
    assertThat(rows("rollup_1m_large", large, placed, FOREVER)).as("its own").isPositive();
  }

  private static ObjectNode of(String organization) {
    return JsonHttp.JSON
        .createObjectNode()
        .put("type", "selector")
        .put("dimension", "organization_id")
        .put("value", organization);
  }

  private long rows(String datasource, ObjectNode filter, Instant begin, Instant end)
      throws Exception {
    ObjectNode query = JsonHttp.JSON.createObjectNode();
    query.put("queryType", "timeseries").put("dataSource", datasource).put("granularity", "all");
    query.putArray("intervals").add(begin + "/" + end);
    query.set("filter", filter);
    query.putArray("aggregations").addObject().put("type", "count").put("name", "rows");
    query.putObject("context").put("useCache", false).put("populateCache", false);
    JsonHttp.Answer answer =
        new JsonHttp().post(stack.coordinates().get("TIDEMARK_DRUID") + "/druid/v2", query);
    assertThat(answer.ok()).as(answer.text()).isTrue();
    return answer.body().at("/0/result/rows").asLong(0);
  }

  /** Returns the certificate. */
  private JsonNode deleteBefore(String metric, Instant day) throws Exception {
    String deletions =
        stack.coordinates().get("TIDEMARK_URL")
            + "/api/v1/organizations/"
            + LARGE
            + "/environments/env-demo/deletions";
    ObjectNode wanted = JsonHttp.JSON.createObjectNode();
    wanted.put("metric", metric).put("before", day.toString());
    JsonHttp http = new JsonHttp();
    JsonHttp.Answer begun = http.post(deletions, stack.authorization(LARGE), wanted);
    assertThat(begun.status()).as(begun.text()).isEqualTo(202);
    String id = begun.body().path("id").asText();
    JsonNode done =
        Await.until(
            "the end of the deletion",
            CERTIFIED,
            Await.LONG_PAUSE,
            () -> http.get(deletions + "/" + id, stack.authorization(LARGE)).body(),
            answer -> answer.path("state").asText().equals("done"));
    return JsonHttp.JSON.readTree(done.path("certificate").asText());
  }

  private static long removed(JsonNode certificate, String datasource) {
    for (JsonNode step : certificate.path("druid")) {
      if (step.path("datasource").asText().equals(datasource)) {
        return step.path("points_removed").asLong();
      }
    }
    throw new AssertionError("No " + datasource + " in " + certificate);
  }

  private int partitions() {
    try (Admin admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                stack.coordinates().get("TIDEMARK_KAFKA")))) {
      return admin
          .describeTopics(List.of(POINTS))
          .allTopicNames()
          .get()
          .get(POINTS)
          .partitions()
          .size();
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  private int declare(String name) throws Exception {
    ObjectNode metric = JsonHttp.JSON.createObjectNode().put("name", name);
    metric.putObject("declaration").put("unit", "1").put("type", "gauge");
    return new JsonHttp()
        .post(
            stack.coordinates().get("TIDEMARK_URL")
                + "/api/v1/organizations/org-demo/environments/env-demo/metrics",
            stack.authorization("org-demo"),
            metric)
        .status();
  }
}
