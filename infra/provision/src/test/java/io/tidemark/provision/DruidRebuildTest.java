package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.provision.LakeRows.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Druid is told, in which order, by a Druid that remembers it. */
class DruidRebuildTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Instant NOW = Instant.parse("2026-03-31T12:00:00Z");
  private static final String TASK = "/druid/indexer/v1/task";
  private static final String MINUTES = TestingDruid.SUPERVISORS + "/rollup_1m";

  private final List<String> progress = new ArrayList<>();
  private final List<String> released = new ArrayList<>();
  private final Map<String, JsonNode> tasks = new TreeMap<>();
  private final List<String> reading = new ArrayList<>(List.of("index_kafka_a", "index_kafka_b"));
  private String ends = "SUCCESS";

  /** Segments that a task publishes while it is ended; taken away once. */
  private int late = 1;

  /** How often segments are found that nobody serves yet. */
  private int unserved = 2;

  /** By which offsets the tasks begin elsewhere than they were told. */
  private long astray;

  /** How often processes of Druid are found that still answer with segments of before. */
  private int served = 2;

  /** Segments that Druid remembers though they are no longer used. */
  private int remembered;

  /** Rows that a task leaves out. */
  private long leftOut;

  /** Whether rows of a topic could come beside those of the lake. */
  private boolean topicsReadWhenTasksCame;

  /** Rows of each day from a placement on that are a placed organisation's. */
  private long placed;

  private Path root = ROOT;
  private TestingDruid druid;
  private Addresses addresses;
  private DruidRebuild rebuild;

  @BeforeEach
  void fill() throws Exception {
    druid = new TestingDruid();
    druid.looks = this::look;
    druid.refuses =
        (path, body) -> {
          if (path.equals(TASK)) {
            tasks.put(body.path("id").asText(), body);
            topicsReadWhenTasksCame |= !isSuspended("rollup_1m");
          } else if (path.endsWith("/shutdown")) {
            reading.remove(path.split("/")[5]);
          }
          return false;
        };
    rebuild = rebuild(EngineAccess.OPEN);
  }

  /** Of a Druid that is as declared. */
  private DruidRebuild rebuild(EngineAccess access) throws Exception {
    addresses =
        new Addresses(
            root,
            "broker:9092",
            druid.url(),
            "http://flink",
            ROOT,
            "file:///state",
            "jdbc:x",
            "u",
            "p",
            "r",
            "file:///w",
            Map.of(),
            access);
    new DruidSetup(addresses).apply();
    druid.posts.clear();
    return new DruidRebuild(
        addresses,
        "127.0.0.1",
        NOW,
        progress::add,
        new DruidIndexing(addresses, Duration.ofMillis(1), Duration.ofMillis(1)));
  }

  private StepReport provisioned() throws Exception {
    return new DruidSetup(addresses).apply();
  }

  private boolean isSuspended(String table) {
    return druid.told.get(TestingDruid.SUPERVISORS + "/" + table).path("suspended").asBoolean();
  }

  @AfterEach
  void stop() {
    druid.close();
  }

  private Optional<JsonNode> look(String path) {
    if (path.equals("/druid/indexer/v1/tasks")) {
      ArrayNode running = EngineClient.JSON.createArrayNode();
      reading.forEach(id -> running.addObject().put("id", id));
      return Optional.of(running);
    }
    if (path.endsWith("/segments")) {
      ArrayNode segments = EngineClient.JSON.createArrayNode();
      if (late > 0) {
        late--;
        segments.add("published while its task was ended");
      }
      return Optional.of(segments);
    }
    if (path.endsWith("/unusedSegments")) {
      ArrayNode segments = EngineClient.JSON.createArrayNode();
      for (int i = 0; i < remembered; i++) {
        segments.add("deleted before");
      }
      return Optional.of(segments);
    }
    if (path.equals("/druid/coordinator/v1/datasources/rollup_1h") && served > 0) {
      served--;
      return Optional.of(EngineClient.JSON.createObjectNode());
    }
    if (path.endsWith("/reports")) {
      ObjectNode report = EngineClient.JSON.createObjectNode();
      report
          .withObject("/ingestionStatsAndErrors/payload/rowStats/buildSegments")
          .put("processed", taken(tasks.get(path.split("/")[5])) - leftOut);
      return Optional.of(report);
    }
    if (path.startsWith(TASK + "/")) {
      ObjectNode status = EngineClient.JSON.createObjectNode();
      status.putObject("status").put("statusCode", ends).put("errorMsg", "no more disk");
      return Optional.of(status);
    }
    if (path.endsWith("/loadstatus")) {
      int missing = unserved > 0 ? unserved-- : 0;
      return Optional.of(EngineClient.JSON.createObjectNode().put(path.split("/")[5], missing));
    }
    if (path.startsWith(TestingDruid.SUPERVISORS) && path.endsWith("/status")) {
      String own = path.substring(0, path.lastIndexOf('/'));
      JsonNode spec = druid.told.get(own);
      if (spec == null) {
        return Optional.empty();
      }
      ObjectNode status = EngineClient.JSON.createObjectNode();
      ObjectNode payload = status.putObject("payload");
      if (spec.path("suspended").asBoolean()) {
        payload.put("detailedState", "SUSPENDED");
      } else {
        ObjectNode offsets =
            payload
                .put("detailedState", "RUNNING")
                .putArray("activeTasks")
                .addObject()
                .putObject("startingOffsets");
        druid
            .positions
            .get(own.substring(own.lastIndexOf('/') + 1))
            .at("/partitions/partitionOffsetMap")
            .properties()
            .forEach(o -> offsets.put(o.getKey(), o.getValue().asLong() + astray));
      }
      return Optional.of(status);
    }
    return Optional.empty();
  }

  /** A task leaves out the rows that its filter does. */
  private long taken(JsonNode task) {
    if (task.at("/spec/dataSchema/dataSource").asText().endsWith("_large")) {
      return placed;
    }
    String end =
        task.at("/spec/dataSchema/granularitySpec/intervals/0").asText().replaceAll(".*/", "");
    return rowsOf(task) - (end.compareTo("2026-03-31T00:00:00.000Z") > 0 ? placed : 0);
  }

  private long rowsOf(JsonNode task) {
    long rows = 0;
    for (JsonNode uri : task.at("/spec/ioConfig/inputSource/uris")) {
      for (Part part : PARTS) {
        if (uri.asText().endsWith("/" + part.day() + "/" + part.bucket())) {
          rows += part.rows();
        }
      }
    }
    return rows;
  }

  private static final List<Part> PARTS =
      List.of(
          new Part(LocalDate.parse("2025-12-31"), 0, 10),
          new Part(LocalDate.parse("2026-03-30"), 3, 20),
          new Part(LocalDate.parse("2026-03-31"), 3, 30),
          new Part(LocalDate.parse("2026-03-31"), 7, 40));

  /** Two days of this month and one of last year. */
  private final LakeRows lake =
      new LakeRows("http://rows", "secret", null) {
        @Override
        Pinned pin(String table) {
          return table.equals("rollup_1m_hc")
              ? new Pinned(List.of(), Map.of())
              : new Pinned(PARTS, Map.of(0, table.equals("rollup_1m") ? 6L : 3L));
        }

        @Override
        Set<String> stored(String table, String lines) {
          return Set.of();
        }

        @Override
        void release(String table) {
          released.add(table);
        }

        @Override
        public void close() {
          // Nothing was started.
        }
      };

  /** A suspended supervisor looks at its topic, too. */
  @Test
  void supervisorsShowToKafkaWhatItAsksForWhileTheyAreSuspended(@TempDir Path folder)
      throws Exception {
    Path client = folder.resolve("druid.json");
    Files.writeString(client, "{\"security.protocol\":\"SASL_SSL\"}");
    DruidRebuild guarded =
        rebuild(
            new EngineAccess(
                Optional.empty(), false, Optional.empty(), Optional.of(client), Optional.empty()));
    List<String> shown = new ArrayList<>();
    druid.refuses =
        (path, body) -> {
          if (path.equals(TestingDruid.SUPERVISORS)) {
            shown.add(body.at("/spec/ioConfig/consumerProperties/security.protocol").asText());
          } else if (path.equals(TASK)) {
            tasks.put(body.path("id").asText(), body);
          } else if (path.endsWith("/shutdown")) {
            reading.remove(path.split("/")[5]);
          }
          return false;
        };
    guarded.run(lake, (topic, taken, stored) -> cut(topic));
    assertThat(shown).as("suspended, then declared again").hasSize(8).containsOnly("SASL_SSL");
  }

  private static Map<Integer, Long> cut(String topic) {
    return topic.startsWith("telemetry.rollup-1m") ? Map.of(0, 7L, 1, 0L) : Map.of(0, 5L);
  }

  @Test
  void rowsOfTheLakeAreLoadedAndTheTopicIsReadFromWhereTheyEnd() throws Exception {
    JsonNode declared = druid.told.get(MINUTES);
    rebuild.run(lake, (topic, taken, stored) -> cut(topic));

    assertThat(druid.positions.get("rollup_1m"))
        .isEqualTo(
            EngineClient.JSON.readTree(
                "{\"type\":\"kafka\",\"partitions\":{\"type\":\"end\",\"stream\":\"telemetry.rollup-1m.v1\","
                    + "\"partitionOffsetMap\":{\"0\":7,\"1\":0}}}"));
    assertThat(druid.told.get(MINUTES)).as("as declared again").isEqualTo(declared);
    assertThat(tasks.keySet())
        .as("minutes older than Druid keeps them stay in the lake")
        .containsExactlyInAnyOrder(
            "rebuild_rollup_1m_2026-03-31_1774958400",
            "rebuild_rollup_1m_2026-03-30_1774958400",
            "rebuild_rollup_1h_2026-03-31_1774958400",
            "rebuild_rollup_1h_2026-03-30_1774958400",
            "rebuild_rollup_1h_2025-12-31_1774958400",
            "rebuild_rollup_1d_2026-03-01_1774958400",
            "rebuild_rollup_1d_2025-12-01_1774958400",
            "rebuild_forget_rollup_1m_1774958400",
            "rebuild_forget_rollup_1m_hc_1774958400",
            "rebuild_forget_rollup_1h_1774958400",
            "rebuild_forget_rollup_1d_1774958400");
    JsonNode day = tasks.get("rebuild_rollup_1m_2026-03-31_1774958400");
    assertThat(day.at("/spec/ioConfig/inputSource/uris").toString())
        .isEqualTo(
            "[\"http://rows/tables/rollup_1m/rows/2026-03-31/3\","
                + "\"http://rows/tables/rollup_1m/rows/2026-03-31/7\"]");
    ObjectNode schema = declared.at("/spec/dataSchema").deepCopy();
    schema
        .withObject("/granularitySpec")
        .putArray("intervals")
        .add("2026-03-31T00:00:00.000Z/2026-04-01T00:00:00.000Z");
    schema.withObject("/granularitySpec").put("rollup", true);
    assertThat(day.at("/spec/dataSchema")).isEqualTo(schema);
    assertThat(day.at("/spec/ioConfig/appendToExisting").asBoolean(true))
        .as("segments of new names in the place of what is there")
        .isFalse();
    assertThat(day.at("/context/useConcurrentLocks").asBoolean()).isFalse();
    JsonNode month = tasks.get("rebuild_rollup_1d_2026-03-01_1774958400").path("spec");
    assertThat(month.at("/dataSchema/granularitySpec/intervals/0").asText())
        .as("days share a segment of their month")
        .isEqualTo("2026-03-01T00:00:00.000Z/2026-04-01T00:00:00.000Z");
    assertThat(month.at("/ioConfig/inputSource/uris").size()).isEqualTo(3);
    assertThat(day.at("/spec/tuningConfig/maxParseExceptions").asInt(-1)).isZero();
    assertThat(released).hasSize(4);
    assertThat(reading).as("tasks of before").isEmpty();
    assertThat(unserved).as("it waited for them").isZero();
    List<String> told = druid.posts;
    assertThat(told.indexOf(TestingDruid.SUPERVISORS))
        .as("suspended first")
        .isLessThan(told.indexOf("DELETE /druid/coordinator/v1/datasources/rollup_1m"));
    assertThat(told.lastIndexOf("DELETE /druid/coordinator/v1/datasources/rollup_1m"))
        .isLessThan(told.indexOf(TASK));
    assertThat(told.indexOf("DELETE /druid/coordinator/v1/config/compaction/rollup_1m"))
        .as("nothing compacts while it is emptied")
        .isNotNegative()
        .isLessThan(told.indexOf("DELETE /druid/coordinator/v1/datasources/rollup_1m"));
    assertThat(told.indexOf("DELETE /druid/indexer/v1/pendingSegments/rollup_1m")).isNotNegative();
    assertThat(served).as("it waited until nobody answered with them").isZero();
    assertThat(topicsReadWhenTasksCame).as("topics are read when all is loaded").isFalse();
    assertThat(told.lastIndexOf(TASK)).isLessThan(told.indexOf(MINUTES + "/resetOffsets"));
    assertThat(druid.told.get(TestingDruid.COMPACTION + "/rollup_1m")).isNotNull();
  }

  /** Each topic is cut with what its own table says. */
  @Test
  void whatATableSaysThatItTookIsHandedOn() throws Exception {
    Map<String, Map<Integer, Long>> said = new TreeMap<>();
    rebuild.run(
        lake,
        (topic, taken, stored) -> {
          said.put(topic, taken);
          return cut(topic);
        });
    assertThat(said)
        .isEqualTo(
            Map.of(
                "telemetry.rollup-1m.v1", Map.of(0, 6L),
                "telemetry.rollup-1m-hc.v1", Map.of(),
                "telemetry.rollup-1h.v1", Map.of(0, 3L),
                "telemetry.rollup-1d.v1", Map.of(0, 3L)));
  }

  private void place(Path folder) throws Exception {
    Path druidFiles = ROOT.resolve("infra/druid");
    try (Stream<Path> files = Files.walk(druidFiles)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".json")).toList()) {
        Path copy = folder.resolve("infra/druid").resolve(druidFiles.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    root = folder;
    rebuild = rebuild(EngineAccess.OPEN);
    Files.writeString(
        folder.resolve("infra").resolve(DatasourcePlacement.FILE),
        "[{\"organization_id\":\"org-large\",\"name\":\"large\",\"from\":\"2026-03-31T00:00:00Z\"}]");
  }

  @Test
  void rowsOfAPlacedTenantAreLoadedIntoItsOwnDatasources(@TempDir Path folder) throws Exception {
    place(folder);
    placed = 12;
    rebuild.run(lake, (topic, taken, stored) -> cut(topic));
    assertThat(tasks.keySet().stream().filter(id -> id.matches("rebuild_rollup_.*_large_.*")))
        .as("of days from the placement on; a month has some of both sides")
        .containsExactlyInAnyOrder(
            "rebuild_rollup_1m_large_2026-03-31_1774958400",
            "rebuild_rollup_1h_large_2026-03-31_1774958400",
            "rebuild_rollup_1d_large_2026-03-01_1774958400");
    JsonNode own = tasks.get("rebuild_rollup_1m_large_2026-03-31_1774958400").path("spec");
    JsonNode beside = tasks.get("rebuild_rollup_1m_2026-03-31_1774958400").path("spec");
    assertThat(own.at("/ioConfig/inputSource/uris"))
        .as("the same rows of the lake")
        .isEqualTo(beside.at("/ioConfig/inputSource/uris"));
    List<DatasourcePlacement> placements = DatasourcePlacement.declared(new InfraFiles(folder));
    assertThat(own.at("/dataSchema/transformSpec/filter"))
        .isEqualTo(PlacementFilter.own(placements.get(0)));
    assertThat(beside.at("/dataSchema/transformSpec/filter"))
        .isEqualTo(PlacementFilter.shared(placements));
    assertThat(druid.positions.get("rollup_1m_large"))
        .as("both read on from where the lake ends")
        .isEqualTo(druid.positions.get("rollup_1m"));
    assertThat(released).as("each table of the lake once").hasSize(4);
    assertThat(isSuspended("rollup_1m_large")).isFalse();
    assertThat(provisioned().changes()).isEmpty();
  }

  /** A row that both tables take, or neither, is found. */
  @Test
  void rowsOfBothSidesAreCountedTogether(@TempDir Path folder) throws Exception {
    place(folder);
    placed = 12;
    leftOut = 1;
    assertThatThrownBy(() -> rebuild.run(lake, (topic, taken, stored) -> cut(topic)))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("instead of");
    assertThat(isSuspended("rollup_1m_large")).isTrue();
    assertThat(provisioned().changes()).allMatch(change -> change.contains("Run rebuild-druid"));
  }

  /** What Druid remembers of a segment makes it drop the next one of that name. */
  @Test
  void whatDruidStillRemembersIsAFailure() {
    remembered = 1;
    assertThatThrownBy(() -> rebuild.run(lake, (topic, taken, stored) -> cut(topic)))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("still remembers");
    assertThat(tasks.keySet()).allMatch(id -> id.startsWith("rebuild_forget_"));
    assertThat(isSuspended("rollup_1m")).isTrue();
  }

  @Test
  void rowsThatATaskLeavesOutAreAFailure() {
    leftOut = 1;
    assertThatThrownBy(() -> rebuild.run(lake, (topic, taken, stored) -> cut(topic)))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("instead of");
    assertThat(isSuspended("rollup_1m")).isTrue();
  }

  /** Topics would be read from where they were before: some rows twice, some never. */
  @Test
  void onlyARebuildThatComesToItsEndLetsSupervisorsReadAgain() throws Exception {
    JsonNode declared = druid.told.get(MINUTES);
    ends = "FAILED";
    assertThatThrownBy(() -> rebuild.run(lake, (topic, taken, stored) -> cut(topic)))
        .isInstanceOf(ProvisionFailure.class);
    assertThat(provisioned().changes())
        .hasSize(4)
        .allMatch(change -> change.contains("Run rebuild-druid"));
    assertThat(isSuspended("rollup_1m")).isTrue();
    ends = "SUCCESS";
    rebuild.run(lake, (topic, taken, stored) -> cut(topic));
    assertThat(druid.told.get(MINUTES)).isEqualTo(declared);
    assertThat(provisioned().changes()).isEmpty();
  }

  /** Published after its segments were taken away, its rows would be there twice. */
  @Test
  void whatATaskPublishesWhileItIsEndedIsTakenAwayToo() throws Exception {
    rebuild.run(lake, (topic, taken, stored) -> cut(topic));
    assertThat(druid.posts.stream().filter(p -> p.matches("DELETE .*/datasources/rollup_1d")))
        .as("while tasks end, after their end, and for what the second look found")
        .hasSize(3);
  }

  @Test
  void tasksThatBeginElsewhereAreAFailure() {
    astray = 1;
    assertThatThrownBy(() -> rebuild.run(lake, (topic, taken, stored) -> cut(topic)))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("instead of");
    assertThat(isSuspended("rollup_1d")).as("stopped again").isTrue();
  }

  @Test
  void aFailedTaskIsSaidWithItsReason() {
    ends = "FAILED";
    assertThatThrownBy(() -> rebuild.run(lake, (topic, taken, stored) -> cut(topic)))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("no more disk")
        .hasMessageContaining("run it again");
  }

  @Test
  void whatCannotBeReadLeavesDruidAsItWas() {
    assertThatThrownBy(
            () ->
                rebuild.run(
                    lake,
                    (topic, taken, stored) -> {
                      throw ProvisionFailure.engine("the lake is away");
                    }))
        .hasMessageContaining("away");
    assertThat(druid.posts).isEmpty();
  }
}
