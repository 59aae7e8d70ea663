package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.ChangedCheckout;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.LedgerLoad;
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
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
   * Both roles of platform-api get another password: the old ones are refused. So do pepper and
   * secret of sign-in, where the one before is taken meanwhile. No point is lost.
   */
  @Test
  void passwordsAndSecretsAreRotatedUnderLoad() throws Exception {
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
      stack.stack().rotate("api-key-pepper");
      stack.stack().rotate("sign-in-secret");
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
