package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told to Druid, by a Druid that fills in defaults and remembers what it was told. */
class DruidSetupTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final String SUPERVISORS = "/druid/indexer/v1/supervisor";
  private static final String COMPACTION = "/druid/coordinator/v1/config/compaction";
  private static final String DAYS = SUPERVISORS + "/rollup_1d";

  private final Map<String, JsonNode> told = new TreeMap<>();
  private final Map<String, ArrayNode> histories = new TreeMap<>();
  private final List<String> posts = new ArrayList<>();
  private HttpServer druid;
  private DruidSetup setup;

  @BeforeEach
  void start() throws Exception {
    druid = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    druid.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestMethod().equals("POST")) {
            posts.add(exchange.getRequestURI().getPath());
            post(
                exchange.getRequestURI().getPath(),
                exchange.getRequestURI().getQuery(),
                EngineClient.JSON.readTree(exchange.getRequestBody()));
            answer(exchange, Optional.of(EngineClient.JSON.createObjectNode()));
          } else {
            answer(exchange, read(exchange.getRequestURI().getPath()));
          }
        });
    druid.start();
    setup =
        new DruidSetup(
            new Addresses(
                ROOT,
                "broker:9092",
                "http://127.0.0.1:" + druid.getAddress().getPort(),
                "http://flink",
                ROOT,
                "file:///state",
                "jdbc:x",
                "u",
                "p",
                "r",
                "file:///w",
                Map.of()));
    assertThat(setup.apply()).isGreaterThan(8);
    assertThat(setup.apply()).isZero();
    assertThat(setup.drift()).isEmpty();
    posts.clear();
  }

  @AfterEach
  void stop() {
    druid.stop(0);
  }

  private static void answer(HttpExchange exchange, Optional<JsonNode> found) throws IOException {
    byte[] body = found.map(JsonNode::toString).orElse("{}").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(found.isPresent() ? 200 : 404, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void post(String path, String query, JsonNode body) {
    if (path.equals(SUPERVISORS)) {
      ObjectNode spec = body.deepCopy();
      // As Druid does.
      if (!spec.has("suspended")) {
        spec.put("suspended", false);
      }
      if (!spec.at("/spec/ioConfig").has("lateMessageRejectionPeriod")) {
        spec.withObject("/spec/ioConfig").putNull("lateMessageRejectionPeriod");
      }
      String own = path + "/" + spec.at("/spec/dataSchema/dataSource").asText();
      told.put(own, spec);
      ObjectNode version = EngineClient.JSON.createObjectNode();
      version.set("spec", spec);
      histories
          .computeIfAbsent(own + "/history", ignored -> EngineClient.JSON.createArrayNode())
          .insert(0, version);
    } else if (path.equals(COMPACTION)) {
      told.put(path + "/" + body.path("dataSource").asText(), body);
    } else if (path.equals(COMPACTION + "/taskslots")) {
      ObjectNode slots = EngineClient.JSON.createObjectNode();
      slots.put(
          "compactionTaskSlotRatio", Double.parseDouble(query.replaceAll(".*ratio=|&.*", "")));
      slots.put("maxCompactionTaskSlots", Integer.parseInt(query.replaceAll(".*max=", "")));
      told.put(COMPACTION, slots);
    } else {
      told.put(path, body);
    }
  }

  private Optional<JsonNode> read(String path) {
    if (path.equals(SUPERVISORS)) {
      ArrayNode names = EngineClient.JSON.createArrayNode();
      told.keySet().stream()
          .filter(each -> each.startsWith(path))
          .forEach(each -> names.add(each.substring(path.length() + 1)));
      return Optional.of(names);
    }
    return Optional.ofNullable(histories.containsKey(path) ? histories.get(path) : told.get(path));
  }

  private ObjectNode days() {
    return told.get(DAYS).deepCopy();
  }

  /** Somebody posts what Druid said, with a change. */
  private void postByHand(ObjectNode changed) {
    post(SUPERVISORS, "", changed);
  }

  private void assertToldAndRepaired(String what) throws Exception {
    JsonNode declared = histories.get(DAYS + "/history").get(1).path("spec");
    assertThat(setup.drift()).singleElement().asString().contains("rollup_1d.json: ", what);
    assertThat(posts).isEmpty();
    assertThat(setup.apply()).isEqualTo(1);
    assertThat(posts).containsExactly(SUPERVISORS);
    assertThat(told.get(DAYS)).isEqualTo(declared);
    assertThat(setup.drift()).isEmpty();
    assertThat(setup.apply()).isZero();
  }

  @Test
  void aSupervisorThatWasChangedByHandIsToldAndRepaired() throws Exception {
    ObjectNode changed = days();
    changed.withObject("/spec/ioConfig").put("taskDuration", "PT7H");
    postByHand(changed);
    assertToldAndRepaired("/spec/ioConfig/taskDuration is \"PT7H\"");
  }

  /** The file leaves it to defaults; rows that come late would be thrown away. */
  @Test
  void whatWasAddedByHandIsToldAndRepaired() throws Exception {
    ObjectNode changed = days();
    changed.withObject("/spec/ioConfig").put("lateMessageRejectionPeriod", "PT1H");
    postByHand(changed);
    assertToldAndRepaired("/spec/ioConfig/lateMessageRejectionPeriod is \"PT1H\" instead of null");
  }

  @Test
  void aFieldThatDruidDoesNotFillInIsFoundToo() throws Exception {
    ObjectNode changed = days();
    changed.withObject("/spec/tuningConfig").put("surprise", 1);
    postByHand(changed);
    assertToldAndRepaired("/spec/tuningConfig/surprise is absent instead of 1");
  }

  @Test
  void aSuspendedSupervisorIsToldAndRepaired() throws Exception {
    postByHand(days().put("suspended", true));
    assertToldAndRepaired("/suspended is true instead of false");
  }

  @Test
  void aSupervisorOfNobodyKnowsWhatIsRepaired() throws Exception {
    ObjectNode changed = days();
    changed.withObject("/context").remove("tidemark_revision");
    postByHand(changed);
    assertToldAndRepaired("/context/tidemark_revision is absent");
  }

  @Test
  void aSupervisorThatWasEndedIsStartedAgain() throws Exception {
    told.remove(DAYS);
    assertThat(setup.drift()).singleElement().asString().contains("rollup_1d.json");
    assertThat(setup.apply()).isEqualTo(1);
    assertThat(setup.drift()).isEmpty();
  }

  @Test
  void rulesAndCompactionAreRepaired() throws Exception {
    told.put("/druid/coordinator/v1/rules/_default", EngineClient.JSON.createArrayNode());
    ((ObjectNode) told.get(COMPACTION + "/rollup_1h")).put("skipOffsetFromLatest", "P9D");
    assertThat(setup.drift()).hasSize(2);
    assertThat(setup.apply()).isEqualTo(2);
    assertThat(setup.drift()).isEmpty();
    assertThat(posts).containsExactly("/druid/coordinator/v1/rules/_default", COMPACTION);
  }
}
