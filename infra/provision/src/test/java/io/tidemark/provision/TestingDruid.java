package io.tidemark.provision;

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
import java.util.function.BiPredicate;
import java.util.function.Function;

/** A coordinator that fills in defaults and remembers what it was told. */
final class TestingDruid implements AutoCloseable {
  static final String SUPERVISORS = "/druid/indexer/v1/supervisor";
  static final String COMPACTION = "/druid/coordinator/v1/config/compaction";

  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  /** By path. */
  final Map<String, JsonNode> told = new TreeMap<>();

  final Map<String, ArrayNode> histories = new TreeMap<>();
  final List<String> posts = new ArrayList<>();

  /** Whether a post to a path, of a body, is refused. */
  BiPredicate<String, JsonNode> refuses = (path, body) -> false;

  /** What is read at a path that nothing was posted to. */
  Function<String, Optional<JsonNode>> looks = path -> Optional.empty();

  /** By supervisor: what it was told to begin at. */
  final Map<String, JsonNode> positions = new TreeMap<>();

  private final HttpServer server;

  TestingDruid() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Of a cluster with this Druid; its files are those of the checkout. */
  Addresses addresses() {
    return addresses(ROOT);
  }

  /** Of a cluster with other files. */
  Addresses addresses(Path root) {
    return new Addresses(
        root,
        "broker:9092",
        url(),
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
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (exchange.getRequestMethod().equals("DELETE")) {
      posts.add("DELETE " + path);
      if (path.startsWith(COMPACTION + "/")) {
        told.remove(path);
      }
      answer(exchange, 200, "{}");
      return;
    }
    if (!exchange.getRequestMethod().equals("POST")) {
      Optional<JsonNode> found = read(path);
      answer(exchange, found.isPresent() ? 200 : 404, found.map(JsonNode::toString).orElse("{}"));
      return;
    }
    JsonNode body = EngineClient.JSON.readTree(exchange.getRequestBody());
    if (body.isArray() && path.endsWith("/segments")) {
      // A question, of the intervals that are sent.
      answer(exchange, 200, looks.apply(path).map(JsonNode::toString).orElse("[]"));
      return;
    }
    if (path.equals("/druid/v2/")) {
      answer(exchange, 200, looks.apply(path).map(JsonNode::toString).orElse("[]"));
      return;
    }
    posts.add(path);
    if (refuses.test(path, body)) {
      answer(exchange, 400, "{\"error\":\"not so\"}");
    } else {
      post(path, exchange.getRequestURI().getQuery(), body);
      answer(exchange, 200, "{}");
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  void post(String path, String query, JsonNode body) {
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
    } else if (path.endsWith("/resetOffsets")) {
      positions.put(path.split("/")[5], body);
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
    Optional<JsonNode> seen = looks.apply(path);
    if (seen.isPresent()) {
      return seen;
    }
    return Optional.ofNullable(histories.containsKey(path) ? histories.get(path) : told.get(path));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
