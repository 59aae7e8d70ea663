package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files in {@code infra/} agree with each other and with the contracts. */
class InfraFilesTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final InfraFiles FILES = new InfraFiles(ROOT);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Addresses addresses =
      new Addresses(
          ROOT,
          "broker:9092",
          "http://druid",
          "http://flink",
          ROOT,
          "file:///state",
          "jdbc:x",
          "u",
          "p",
          "r",
          "file:///w",
          Map.of(),
          EngineAccess.OPEN);

  @Test
  void everyTopicThatAJobOrASupervisorNamesExists() throws Exception {
    List<String> topics = KafkaTopics.read(FILES).stream().map(TopicStore.Topic::name).toList();
    for (FlinkJobs.Job job : FlinkJobs.read(FILES)) {
      job.arguments()
          .forEach(
              (name, value) -> {
                if (name.endsWith(".topic")) {
                  assertThat(topics).as(job.name() + " --" + name).contains(value);
                }
              });
    }
    for (String file : FILES.jsonFiles(DruidSetup.INGESTION)) {
      assertThat(topics).contains(FILES.json(file).at("/spec/ioConfig/topic").asText());
    }
  }

  @Test
  void jobsAskForNoLongerTransactionsThanTheBrokerAllows() throws Exception {
    Properties broker = new Properties();
    try (var reader = Files.newBufferedReader(ROOT.resolve("infra/kafka/server.properties"))) {
      broker.load(reader);
    }
    long allowed = Long.parseLong(broker.getProperty("transaction.max.timeout.ms"));
    for (FlinkJobs.Job job : FlinkJobs.read(FILES)) {
      boolean writesToKafka = job.arguments().containsKey("transactional-id-prefix");
      assertThat(job.arguments().containsKey("transaction.timeout.ms")).isEqualTo(writesToKafka);
      if (writesToKafka) {
        assertThat(Long.parseLong(job.arguments().get("transaction.timeout.ms")))
            .isLessThanOrEqualTo(allowed);
      }
    }
  }

  @Test
  void druidKnowsEveryColumnOfTheGoldenRowsAndMakesNoDimensionOfPaneIds() throws Exception {
    JsonNode schema =
        JSON.readTree(ROOT.resolve("infra/druid/ingestion/rollup_1m.json").toFile())
            .at("/spec/dataSchema");
    Set<String> known = new HashSet<>();
    schema.at("/dimensionsSpec/dimensions").forEach(d -> known.add(d.path("name").asText()));
    schema.at("/dimensionsSpec/dimensionExclusions").forEach(d -> known.add(d.asText()));
    schema.at("/metricsSpec").forEach(m -> known.add(m.path("fieldName").asText()));
    known.add(schema.at("/timestampSpec/column").asText());
    try (Stream<String> rows =
        Files.lines(ROOT.resolve("platform-api/contracts/examples/rollup-row.ndjson"))) {
      for (String line : rows.filter(l -> !l.isBlank()).toList()) {
        JSON.readTree(line)
            .fieldNames()
            .forEachRemaining(
                name ->
                    assertThat(
                            known.contains(name)
                                || name.startsWith("metric.")
                                || name.startsWith("resource."))
                        .as(name)
                        .isTrue());
      }
    }
    assertThat(known).contains("pane_id", "organization_id", "sum", "count");
    schema
        .at("/dimensionsSpec/dimensions")
        .forEach(d -> assertThat(d.path("name").asText()).isNotEqualTo("pane_id"));
  }

  /** Kafka's default shows rows of transactions that may still be aborted. */
  @Test
  void druidTakesCommittedRowsOnly() throws Exception {
    List<String> files = FILES.jsonFiles(DruidSetup.INGESTION);
    assertThat(files).hasSize(4);
    for (String file : files) {
      assertThat(FILES.json(file).at("/spec/ioConfig/consumerProperties/isolation.level").asText())
          .as(file)
          .isEqualTo("read_committed");
    }
  }

  /** Every text that is not excluded becomes a dimension, and rows would never add up. */
  @Test
  void noDatasourceMakesADimensionOfPaneIds() throws Exception {
    List<String> files = FILES.jsonFiles(DruidSetup.INGESTION);
    assertThat(files).isNotEmpty();
    for (String file : files) {
      Set<String> excluded = new HashSet<>();
      FILES
          .json(file)
          .at("/spec/dataSchema/dimensionsSpec/dimensionExclusions")
          .forEach(column -> excluded.add(column.asText()));
      assertThat(excluded).as(file).contains("pane_id", "last_timestamp");
    }
  }

  /** Columns of types that Druid guesses cost a streaming task twice as much (ADR 0094). */
  @Test
  void everyLabelBecomesAColumnOfText() throws Exception {
    for (String file : FILES.jsonFiles(DruidSetup.INGESTION)) {
      JsonNode dimensions = FILES.json(file).at("/spec/dataSchema/dimensionsSpec");
      assertThat(dimensions.path("includeAllDimensions").asBoolean()).as(file).isTrue();
      assertThat(dimensions.has("useSchemaDiscovery")).as(file).isFalse();
    }
  }

  /** Looking for the row to add to is a third of what a streaming task does (ADR 0167). */
  @Test
  void rowsOfOneMinuteMeetInCompactionAndNotWhileStreaming() throws Exception {
    for (String file : FILES.jsonFiles(DruidSetup.INGESTION)) {
      JsonNode rollup = FILES.json(file).at("/spec/dataSchema/granularitySpec/rollup");
      // Druid adds up where nothing is said.
      assertThat(rollup.asBoolean(true)).as(file).isFalse();
    }
    for (String file : FILES.jsonFiles(DruidSetup.COMPACTED)) {
      assertThat(FILES.json(file).at("/granularitySpec/rollup").asBoolean()).as(file).isTrue();
    }
  }

  /** A coordinator stops after its indexers and has 45 s for it; then it is killed. */
  @Test
  void aSupervisorWaitsForNoIndexerThatIsGone() throws Exception {
    for (String file : FILES.jsonFiles(DruidSetup.INGESTION)) {
      String timeout = FILES.json(file).at("/spec/tuningConfig/shutdownTimeout").asText("PT80S");
      assertThat(Duration.parse(timeout)).as(file).isLessThan(Duration.ofSeconds(20));
    }
  }

  /** What a task wrote to its disk before its indexer died may be read twice (ADR 0062). */
  @Test
  void noStreamingTaskGoesOnFromItsDisk() throws Exception {
    Properties indexer = new Properties();
    try (var reader =
        Files.newBufferedReader(ROOT.resolve("infra/druid/indexer/runtime.properties"))) {
      indexer.load(reader);
    }
    assertThat(indexer.getProperty("druid.indexer.task.restoreTasksOnRestart")).isEqualTo("false");
  }

  /** Who was killed keeps a successor from leading until its session ends (ADR 0146). */
  @Test
  void sessionsEndSoonEnoughForASuccessor() throws Exception {
    Properties druid = new Properties();
    try (var reader =
        Files.newBufferedReader(ROOT.resolve("infra/druid/_common/common.runtime.properties"))) {
      druid.load(reader);
    }
    assertThat(Integer.parseInt(druid.getProperty("druid.zk.service.sessionTimeoutMs")))
        .isBetween(10_000, 20_000);
    String flink = Files.readString(ROOT.resolve("infra/flink/config.yaml"));
    assertThat(flink).contains("session-timeout: 15s", "tolerate-suspended-connections: true");
  }

  /** What a task has not published is read again after its indexer died (ADR 0129). */
  @Test
  void everyStreamingTaskPublishesAfterAHundredThousandRowsAtTheLatest() throws Exception {
    for (String file : FILES.jsonFiles(DruidSetup.INGESTION)) {
      JsonNode tuning = FILES.json(file).at("/spec/tuningConfig");
      assertThat(tuning.path("maxTotalRows").asLong()).as(file).isBetween(50_000L, 100_000L);
    }
  }

  /** Equal distributions of two panes become one row, which must say that there were two. */
  @Test
  void distributionsAreKeptBesideTheNumberOfPanesAndWithoutAnIndex() throws Exception {
    for (String file : FILES.jsonFiles(DruidSetup.INGESTION)) {
      JsonNode schema = FILES.json(file).at("/spec/dataSchema");
      assertThat(schema.at("/dimensionsSpec/dimensions"))
          .as(file)
          .contains(
              JSON.readTree(
                  "{\"type\":\"string\",\"name\":\"distribution\",\"createBitmapIndex\":false}"));
      assertThat(schema.path("metricsSpec"))
          .contains(JSON.readTree("{\"type\":\"count\",\"name\":\"panes\"}"));
    }
  }

  @Test
  void placeholdersAreFilledOrRefused() {
    assertThat(addresses.fill("a.json", "to ${TIDEMARK_KAFKA}")).isEqualTo("to broker:9092");
    assertThatThrownBy(() -> addresses.fill("a.json", "${TIDEMARK_KAFAK}"))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("infra/a.json")
        .hasMessageContaining("TIDEMARK_KAFAK");
  }

  @Test
  void missingAddressesAreToldAllAtOnce() {
    Map<String, String> few = Map.of("TIDEMARK_KAFKA", "k");
    Set<Provisioning.Step> all = Provisioning.Step.parse(List.of());
    assertThatThrownBy(() -> Addresses.fromEnvironment(ROOT, few, all))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("TIDEMARK_FLINK,")
        .hasMessageContaining("TIDEMARK_CATALOG_PASSWORD");
    Set<Provisioning.Step> some = Provisioning.Step.parse(List.of("topics", "lake"));
    assertThat(some).containsExactly(Provisioning.Step.TOPICS, Provisioning.Step.LAKE);
    assertThatThrownBy(() -> Addresses.fromEnvironment(ROOT, few, some))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageNotContaining("TIDEMARK_FLINK")
        .hasMessageContaining("TIDEMARK_CATALOG_PASSWORD");
    assertThatThrownBy(() -> Provisioning.Step.parse(List.of("flink")))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("topics, druid, lake, jobs");
  }

  @Test
  void aSettingIsKeptWhenDruidOnlyAddsItsDefaults() throws Exception {
    assertThat(difference("{\"a\":[{\"b\":1,\"c\":2}],\"d\":3}", "{\"a\":[{\"b\":1}]}")).isEmpty();
    assertThat(difference("{\"t\":\"PT3600S\",\"n\":1.0}", "{\"t\":\"PT1H\",\"n\":1}")).isEmpty();
    assertThat(difference("{\"a\":[{\"b\":2}]}", "{\"a\":[{\"b\":1}]}"))
        .contains("/a/0/b is 2 instead of 1");
    assertThat(difference("{\"a\":[{\"b\":1},{\"b\":1}]}", "{\"a\":[{\"b\":1}]}")).isPresent();
    assertThat(difference("{\"t\":\"PT1S\"}", "{\"t\":\"PT1H\"}")).isPresent();
    assertThat(difference("{\"aExclusions\":[\"c\",\"b\"]}", "{\"aExclusions\":[\"b\"]}"))
        .isEmpty();
    assertThat(difference("{\"aExclusions\":[\"c\",\"b\"]}", "{\"aExclusions\":[\"b\",\"c\"]}"))
        .isEmpty();
    assertThat(difference("{\"aExclusions\":[\"c\"]}", "{\"aExclusions\":[\"b\"]}")).isPresent();
    assertThat(difference("{}", "{\"t\":\"PT1H\"}")).contains("/t is absent instead of \"PT1H\"");
  }

  private static Optional<String> difference(String present, String wanted) throws Exception {
    return ConfigDiff.firstDifference(JSON.readTree(present), JSON.readTree(wanted));
  }

  @Test
  void compactionKeepsWhatSupervisorsNeedOfEveryDatasource() throws Exception {
    Set<String> datasources = new HashSet<>();
    for (String file : FILES.jsonFiles(DruidSetup.INGESTION)) {
      datasources.add(FILES.json(file).at("/spec/dataSchema/dataSource").asText());
    }
    for (String file : FILES.jsonFiles(DruidSetup.COMPACTED)) {
      JsonNode config = FILES.json(file);
      assertThat(datasources.remove(config.path("dataSource").asText())).as(file).isTrue();
      // Late rows are appended while segments are replaced.
      assertThat(config.at("/taskContext/useConcurrentLocks").asBoolean()).isTrue();
      assertThat(config.at("/tuningConfig/partitionsSpec/type").asText()).isEqualTo("hashed");
    }
    assertThat(datasources).isEmpty();
  }
}
