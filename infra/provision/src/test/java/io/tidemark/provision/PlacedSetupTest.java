package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Druid is told when an organisation is placed, by a Druid whose tasks answer as told. */
class PlacedSetupTest {
  private static final Path INFRA = Path.of("../..").toAbsolutePath().normalize().resolve("infra");
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final String OWN = TestingDruid.SUPERVISORS + "/rollup_1m_large";
  private static final String FILTER = "/spec/dataSchema/transformSpec/filter";

  @TempDir private Path root;

  private TestingDruid druid;
  private Addresses addresses;
  private DruidSetup setup;

  /** Rows of the organisation from the moment on, at each question; zero when none is left. */
  private final List<Integer> rows = new ArrayList<>();

  /** How often a task of before is found running. */
  private int old;

  private final List<String> looked = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    try (Stream<Path> files = Files.walk(INFRA.resolve("druid"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".json")).toList()) {
        Path copy = root.resolve("infra").resolve(INFRA.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    druid = new TestingDruid();
    druid.looks = this::look;
    addresses = druid.addresses(root);
    setup =
        new DruidSetup(
            addresses,
            new PlacementGate(
                addresses, Clock.fixed(NOW, ZoneOffset.UTC), Duration.ZERO, Duration.ZERO));
    setup.apply();
    druid.posts.clear();
  }

  @AfterEach
  void stop() {
    druid.close();
  }

  private void place(String from) throws IOException {
    Files.writeString(
        root.resolve("infra").resolve(DatasourcePlacement.FILE),
        "[{\"organization_id\":\"org-large\",\"name\":\"large\",\"from\":\"" + from + "\"}]");
  }

  private Optional<JsonNode> look(String path) {
    if (path.equals("/druid/v2/")) {
      looked.add(path);
      ArrayNode answer = EngineClient.JSON.createArrayNode();
      int found = rows.isEmpty() ? 0 : rows.remove(0);
      answer.addObject().putObject("result").put("rows", found);
      return Optional.of(answer);
    }
    if (path.endsWith("/cluster")) {
      ObjectNode cluster = EngineClient.JSON.createObjectNode();
      cluster
          .putArray("broker")
          .addObject()
          .put("host", "127.0.0.1")
          .put("plaintextPort", Integer.parseInt(druid.url().replaceAll(".*:", "")));
      return Optional.of(cluster);
    }
    if (path.endsWith("/pendingTasks") || path.endsWith("/waitingTasks")) {
      return Optional.of(EngineClient.JSON.createArrayNode());
    }
    if (path.endsWith("/runningTasks")) {
      ArrayNode running = EngineClient.JSON.createArrayNode();
      task(running, "new", "index_kafka");
      task(running, "compaction", "compact");
      if (old > 0) {
        task(running, "old", "index_kafka");
      }
      return Optional.of(running);
    }
    if (path.endsWith("/task/new")) {
      ObjectNode task = EngineClient.JSON.createObjectNode();
      task.putObject("payload")
          .set(
              "dataSchema",
              druid.told.get(TestingDruid.SUPERVISORS + "/rollup_1m").at("/spec/dataSchema"));
      return Optional.of(task);
    }
    if (path.endsWith("/task/old")) {
      old--;
      assertThat(druid.told).as("own rows are not read while it runs").doesNotContainKey(OWN);
      return Optional.of(EngineClient.JSON.createObjectNode());
    }
    return Optional.empty();
  }

  private static void task(ArrayNode running, String id, String type) {
    running.addObject().put("id", id).put("type", type).put("dataSource", "rollup_1m");
  }

  @Test
  void aPlacedTenantHasItsOwnSupervisorsAndTheSharedOnesLeaveItsRowsOut() throws Exception {
    place("2026-12-01T00:00:00Z");
    old = 3;
    StepReport report = setup.apply();
    assertThat(old).as("it waited for the tasks of before").isZero();
    assertThat(report.changes())
        .anyMatch(
            line -> line.contains("org-large is placed: rows from 2026-12-01T00:00:00Z on are"));

    List<DatasourcePlacement> placements = DatasourcePlacement.declared(new InfraFiles(root));
    for (String shared : List.of("rollup_1m", "rollup_1m_hc", "rollup_1h", "rollup_1d")) {
      JsonNode beside = druid.told.get(TestingDruid.SUPERVISORS + "/" + shared);
      JsonNode own = druid.told.get(TestingDruid.SUPERVISORS + "/" + shared + "_large");
      assertThat(beside.at(FILTER)).isEqualTo(PlacementFilter.shared(placements));
      assertThat(DatasourcePlacement.known(beside)).isEqualTo(placements);
      assertThat(own.at(FILTER)).isEqualTo(PlacementFilter.own(placements.get(0)));
      assertThat(own.at("/spec/ioConfig")).isEqualTo(beside.at("/spec/ioConfig"));
      JsonNode compaction = druid.told.get(TestingDruid.COMPACTION + "/" + shared + "_large");
      ObjectNode asShared = druid.told.get(TestingDruid.COMPACTION + "/" + shared).deepCopy();
      assertThat(compaction).isEqualTo(asShared.put("dataSource", shared + "_large"));
    }
    assertThat(druid.told.get("/druid/coordinator/v1/rules/rollup_1m_hc_large"))
        .isEqualTo(druid.told.get("/druid/coordinator/v1/rules/rollup_1m_hc"));
    assertThat(druid.told.get("/druid/coordinator/v1/rules/rollup_1d_large"))
        .isEqualTo(druid.told.get("/druid/coordinator/v1/rules/_default"));

    assertThat(setup.drift()).isEmpty();
    assertThat(setup.apply()).isEqualTo(new StepReport("as declared", List.of()));
  }

  @Test
  void aDatasourceOfItsOwnMayHaveRulesOfItsOwn() throws Exception {
    place("2026-12-01T00:00:00Z");
    Files.writeString(
        root.resolve("infra/druid/operation/load-rules-rollup_1m_large.json"),
        "[{\"type\":\"dropForever\"}]");
    setup.apply();
    assertThat(druid.told.get("/druid/coordinator/v1/rules/rollup_1m_large").toString())
        .isEqualTo("[{\"type\":\"dropForever\"}]");
    assertThat(druid.told.get("/druid/coordinator/v1/rules/rollup_1m").toString())
        .isNotEqualTo("[{\"type\":\"dropForever\"}]");
  }

  @Test
  void withoutPlacementsSupervisorsAreAsBefore() {
    JsonNode minutes = druid.told.get(TestingDruid.SUPERVISORS + "/rollup_1m");
    assertThat(minutes.at("/spec/dataSchema/transformSpec").isMissingNode()).isTrue();
    assertThat(minutes.path("context").has(DatasourcePlacement.CONTEXT)).isFalse();
  }

  @Test
  void aMomentWithRowsIsRefusedBeforeAnythingIsChanged() throws Exception {
    place("2026-11-20T00:00:00Z");
    rows.add(7);
    assertThatThrownBy(setup::apply)
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("org-large has 7 rows at or after 2026-11-20T00:00:00Z");
    assertThat(druid.posts).isEmpty();
  }

  @Test
  void aTenantWithoutRowsMayBePlacedToday() throws Exception {
    place("2026-11-20T00:00:00Z");
    setup.apply();
    assertThat(druid.told).containsKey(OWN);
    assertThat(looked).as("before, and when no task takes its rows any more").hasSize(2);
  }

  @Test
  void rowsThatCameMeanwhileAreToldAndNothingReadsThemTwice() throws Exception {
    place("2026-11-20T00:00:00Z");
    rows.addAll(List.of(0, 5, 5));
    for (int run = 0; run < 2; run++) {
      assertThatThrownBy(setup::apply)
          .isInstanceOf(ProvisionFailure.class)
          .hasMessageContaining("sent 5 rows")
          .hasMessageContaining("Run rebuild-druid");
      assertThat(druid.told).doesNotContainKey(OWN);
    }
  }

  @Test
  void aRunThatWasEndedHalfWayGoesOn() throws Exception {
    place("2026-12-01T00:00:00Z");
    druid.refuses = (path, body) -> body.toString().contains("\"dataSource\":\"rollup_1h_large\"");
    assertThatThrownBy(setup::apply).isInstanceOf(ProvisionFailure.class);
    druid.refuses = (path, body) -> false;
    old = 1;
    StepReport report = setup.apply();
    assertThat(report.changes()).anyMatch(line -> line.contains("org-large is placed"));
    assertThat(druid.told).containsKey(TestingDruid.SUPERVISORS + "/rollup_1h_large");
    assertThat(setup.drift()).isEmpty();
  }

  @Test
  void aPlacementThatDruidKnowsIsNeitherTakenBackNorChanged() throws Exception {
    place("2026-12-01T00:00:00Z");
    setup.apply();
    druid.posts.clear();
    place("2026-12-02T00:00:00Z");
    assertThatThrownBy(setup::apply)
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("never changes");
    Files.writeString(root.resolve("infra").resolve(DatasourcePlacement.FILE), "[]");
    assertThatThrownBy(setup::apply)
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("never changes");
    assertThat(druid.posts).isEmpty();
  }

  /** One supervisor that was ended by hand does not forget what the others know. */
  @Test
  void aSupervisorThatIsMissingIsMadeAgainWithItsFilter() throws Exception {
    place("2026-12-01T00:00:00Z");
    setup.apply();
    druid.told.remove(TestingDruid.SUPERVISORS + "/rollup_1m");
    druid.told.remove(OWN);
    looked.clear();
    setup.apply();
    assertThat(druid.told.get(TestingDruid.SUPERVISORS + "/rollup_1m").at(FILTER).isObject())
        .isTrue();
    assertThat(druid.told).containsKey(OWN);
    assertThat(looked).as("its moment was admitted before").hasSize(1);
  }
}
