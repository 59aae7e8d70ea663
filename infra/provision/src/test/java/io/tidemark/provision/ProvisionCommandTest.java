package io.tidemark.provision;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as Compose and the chart's Job run it, with the files of this checkout. */
class ProvisionCommandTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  private static EmbeddedPostgres postgres;

  /** What a run printed, and how it ended. */
  private record Ended(int code, String out, String err) {}

  @BeforeAll
  static void start() throws Exception {
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stop() throws Exception {
    postgres.close();
  }

  private static Map<String, String> variables(String druid) {
    Map<String, String> variables = new TreeMap<>();
    variables.put("TIDEMARK_KAFKA", "127.0.0.1:1");
    variables.put("TIDEMARK_DRUID_COORDINATOR", druid);
    variables.put("TIDEMARK_CATALOG_URL", postgres.getJdbcUrl("postgres", "postgres"));
    variables.put("TIDEMARK_CATALOG_USER", "postgres");
    variables.put("TIDEMARK_CATALOG_PASSWORD", "p");
    variables.put("TIDEMARK_CATALOG_READER_PASSWORD", "r");
    variables.put("TIDEMARK_ICEBERG_WAREHOUSE", "file:///w");
    return variables;
  }

  private static Ended run(Path root, Map<String, String> environment, String... steps) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        ProvisionCommand.run(
            List.of(steps),
            root,
            environment,
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    return new Ended(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  @Test
  void aSecondRunFindsEverythingAsDeclared() throws Exception {
    try (TestingDruid druid = new TestingDruid()) {
      Ended first = run(ROOT, variables(druid.url()), "druid");
      assertThat(first.code()).as(first.err()).isZero();
      assertThat(first.out()).containsPattern("Druid rules and supervisors +\\d+ created");
      int posts = druid.posts.size();

      Ended second = run(ROOT, variables(druid.url()), "druid");
      assertThat(second.code()).isZero();
      assertThat(second.out()).containsPattern("Druid rules and supervisors +as declared");
      assertThat(druid.posts).hasSize(posts);
    }
  }

  @Test
  void ofTwoRunsAtOnceOneDeclaresEverythingAndTheOtherNothing() throws Exception {
    try (TestingDruid druid = new TestingDruid()) {
      CompletableFuture<Ended> other =
          CompletableFuture.supplyAsync(() -> run(ROOT, variables(druid.url()), "druid"));
      Ended one = run(ROOT, variables(druid.url()), "druid");
      Ended both = other.get(60, TimeUnit.SECONDS);

      assertThat(List.of(one.code(), both.code())).containsExactly(0, 0);
      assertThat(one.out() + both.out())
          .containsPattern("supervisors +\\d+ created")
          .containsPattern("supervisors +as declared");
      assertThat(druid.histories.values()).allSatisfy(history -> assertThat(history).hasSize(1));
    }
  }

  @Test
  void anEngineThatIsAwayIsNamedWithItsVariable() {
    Ended ended = run(ROOT, variables("http://127.0.0.1:1"), "druid");
    assertThat(ended.code()).isEqualTo(ProvisionCommand.ENGINE_FAILED);
    assertThat(ended.err())
        .contains("Druid's coordinator at http://127.0.0.1:1", "TIDEMARK_DRUID_COORDINATOR")
        .contains("the connection is refused", "provision again")
        .doesNotContain("\tat ");

    Ended unknown = run(ROOT, variables("http://druid.invalid:8081"), "druid");
    assertThat(unknown.err()).contains("http://druid.invalid:8081", "no host of this name");
  }

  @Test
  void aBrokerThatCannotBeNamedIsToldAsSuch() {
    Map<String, String> variables = variables("http://127.0.0.1:1");
    variables.put("TIDEMARK_KAFKA", "no-port");
    Ended ended = run(ROOT, variables, "topics");
    assertThat(ended.code()).isEqualTo(ProvisionCommand.ENGINE_FAILED);
    assertThat(ended.err()).contains("Kafka at no-port", "bootstrap.servers", "TIDEMARK_KAFKA");
  }

  @Test
  void secretsAreDrawnOnceAndLaterCompleted() {
    Ended first = run(ROOT, Map.of(), "draw-secrets");
    Map<String, String> drawn =
        first
            .out()
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    assertThat(drawn).containsKeys("TIDEMARK_BOOTSTRAP_DEMO_KEY", "TIDEMARK_KAFKA_CLUSTER_ID");

    assertThat(run(ROOT, drawn, "draw-secrets").out()).isEqualTo(first.out());
  }

  @Test
  void wrongStepsVariablesAndAddressesAreToldBeforeAnythingIsAsked() {
    Ended step = run(ROOT, Map.of(), "topisc");
    assertThat(step.code()).isEqualTo(ProvisionCommand.WRONG_INPUT);
    assertThat(step.err()).contains("'topisc'", "topics, druid, lake, jobs");

    Ended missing = run(ROOT, Map.of("TIDEMARK_KAFKA", "k:1"));
    assertThat(missing.code()).isEqualTo(ProvisionCommand.WRONG_INPUT);
    assertThat(missing.err())
        .contains("provision needs these environment variables: TIDEMARK_DRUID_COORDINATOR,")
        .contains("TIDEMARK_FLINK_STATE")
        .doesNotContain("TIDEMARK_KAFKA");

    Ended address = run(ROOT, variables("druid-coordinator:8081"), "druid");
    assertThat(address.code()).isEqualTo(ProvisionCommand.WRONG_INPUT);
    assertThat(address.err()).contains("TIDEMARK_DRUID_COORDINATOR=druid-coordinator:8081 is no");
  }

  /** Its lock is in a database that is named apart. */
  @Test
  void aCatalogThatSpeaksRestWantsADatabaseForTheLock() throws Exception {
    try (TestingDruid druid = new TestingDruid()) {
      Map<String, String> variables = variables(druid.url());
      String database = variables.put("TIDEMARK_CATALOG_URL", "https://catalog.example/api");
      Ended refused = run(ROOT, variables, "druid");
      assertThat(refused.code()).isEqualTo(ProvisionCommand.WRONG_INPUT);
      assertThat(refused.err()).contains("TIDEMARK_LOCK_URL");

      variables.put("TIDEMARK_LOCK_URL", database);
      variables.put("TIDEMARK_LOCK_USER", variables.get("TIDEMARK_CATALOG_USER"));
      variables.put("TIDEMARK_LOCK_PASSWORD", variables.get("TIDEMARK_CATALOG_PASSWORD"));
      variables.keySet().removeIf(name -> name.matches("TIDEMARK_CATALOG_.*PASSWORD"));
      assertThat(run(ROOT, variables, "druid").code()).isZero();
    }
  }

  @Test
  void aFileThatIsNotThereOrBrokenIsNamed(@TempDir Path root) throws Exception {
    Ended missing = run(root, variables("http://127.0.0.1:1"), "topics");
    assertThat(missing.code()).isEqualTo(ProvisionCommand.WRONG_INPUT);
    assertThat(missing.err())
        .contains(root.resolve("infra/kafka/topics.yaml").toString(), "NoSuchFileException")
        .contains("-Dtidemark.root");

    Files.createDirectories(root.resolve("infra/kafka"));
    Files.writeString(root.resolve("infra/kafka/topics.yaml"), "topics:\n  - {name: a\n");
    Ended broken = run(root, variables("http://127.0.0.1:1"), "topics");
    assertThat(broken.code()).isEqualTo(ProvisionCommand.WRONG_INPUT);
    assertThat(broken.err()).containsPattern("infra/kafka/topics.yaml is not valid at line [23]");
  }

  @Test
  void jarsThatAreNotBuiltAreToldWithTheRemedy(@TempDir Path root) {
    Ended lake = run(root, variables("http://127.0.0.1:1"), "lake");
    assertThat(lake.code()).isEqualTo(ProvisionCommand.WRONG_INPUT);
    assertThat(lake.err()).contains("lake-tables.jar", "make build");
  }

  @Test
  void helpNamesEveryVariableThatIsRead() throws Exception {
    Ended help = run(ROOT, Map.of(), "--help");
    assertThat(help.code()).isZero();
    Ended missing = run(ROOT, Map.of());
    for (String variable : missing.err().replaceAll("(?s).*: |\\. .*", "").strip().split(", ")) {
      assertThat(help.out()).contains(variable);
    }
  }
}
