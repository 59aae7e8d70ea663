package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Datasources that exist for a measurement only, on the stack's own Druid. */
final class BenchDruid {
  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final List<String> ANSWERING =
      List.of("druid-broker", "druid-historical", "druid-historical-hot");

  private final RunningStack.Started stack;
  private final JsonHttp http = new JsonHttp();
  private final PlainClient asking = new PlainClient();
  private final String coordinator;
  private final String broker;
  private final StackProcesses processes;

  BenchDruid(RunningStack.Started stack) {
    this.stack = stack;
    this.processes = new StackProcesses(stack);
    this.coordinator = "http://" + stack.settings().ports().address("druid-coordinator");
    this.broker = "http://" + stack.settings().ports().address("druid-broker");
  }

  /** How the stack declares something, {@code ingestion/rollup_1m.json} or another file. */
  ObjectNode declared(String file) throws IOException {
    return (ObjectNode)
        JsonHttp.JSON.readTree(stack.settings().infra("druid").resolve(file).toFile());
  }

  /** The declared schema of rows, for a datasource of another name. */
  ObjectNode schema(String declared, String datasource) throws IOException {
    ObjectNode schema =
        (ObjectNode) declared("ingestion/" + declared + ".json").at("/spec/dataSchema");
    return schema.put("dataSource", datasource);
  }

  /** Adds rows of a file, one JSON object a line; returns the task. */
  public String append(ObjectNode schema, Path file) throws Exception {
    ObjectNode task = JsonHttp.JSON.createObjectNode().put("type", "index_parallel");
    ObjectNode spec = task.putObject("spec");
    spec.set("dataSchema", schema);
    ObjectNode io = spec.putObject("ioConfig").put("type", "index_parallel");
    io.put("appendToExisting", true);
    io.putObject("inputSource").put("type", "local").putArray("files").add(file.toString());
    io.putObject("inputFormat").put("type", "json");
    // Merging a day's millions at once takes more direct memory than the indexer has.
    spec.putObject("tuningConfig")
        .put("type", "index_parallel")
        .put("maxRowsInMemory", 50_000)
        .put("maxColumnsToMerge", 400);
    task.putObject("context").put("useConcurrentLocks", true);
    return submit(task);
  }

  public String submit(ObjectNode task) throws Exception {
    JsonHttp.Answer posted = http.post(coordinator + "/druid/indexer/v1/task", task);
    if (!posted.ok()) {
      throw new IOException(posted.status() + " " + posted.text());
    }
    return posted.body().path("task").asText();
  }

  /** Waits for the end of a task. */
  void await(String task) throws Exception {
    String status =
        Await.until(
            "end of " + task,
            PATIENCE,
            () ->
                http.get(coordinator + "/druid/indexer/v1/task/" + task + "/status")
                    .body()
                    .at("/status/status")
                    .asText(),
            text -> text.equals("SUCCESS") || text.equals("FAILED"));
    if (status.equals("FAILED")) {
      throw new IOException("Failed: " + task);
    }
  }

  /** Rules of one datasource: on the tiers for ever. */
  void loadOn(String datasource, String... tiers) throws Exception {
    ObjectNode rule = JsonHttp.JSON.createObjectNode().put("type", "loadForever");
    ObjectNode replicants = rule.putObject("tieredReplicants");
    for (String tier : tiers) {
      replicants.put(tier, 1);
    }
    asking.post(
        coordinator + "/druid/coordinator/v1/rules/" + datasource,
        "application/json",
        "",
        JsonHttp.JSON.createArrayNode().add(rule).toString());
  }

  /** Waits until historicals serve so many rows. */
  void awaitRows(String datasource, long rows) throws Exception {
    Await.until(
        rows + " rows of " + datasource, PATIENCE, () -> rows(datasource), found -> found == rows);
  }

  /** Waits until a historical of the tier serves all segments. */
  void awaitOn(String tier, String datasource) throws Exception {
    String id = tier.equals("hot") ? "druid-historical-hot" : "druid-historical";
    String server =
        coordinator
            + "/druid/coordinator/v1/servers/"
            + stack.settings().ports().address(id)
            + "/segments";
    int all = segments(datasource).size();
    Await.until(
        datasource + " on " + tier,
        PATIENCE,
        () -> {
          int found = 0;
          for (JsonNode name : http.get(server).body()) {
            found += name.asText().startsWith(datasource + "_2") ? 1 : 0;
          }
          return found;
        },
        found -> found == all);
  }

  long rows(String datasource) throws Exception {
    ObjectNode query = JsonHttp.JSON.createObjectNode().put("queryType", "timeseries");
    query.put("dataSource", datasource).put("granularity", "all");
    query.putArray("intervals").add("2000/2100");
    query.putArray("aggregations").addObject().put("type", "count").put("name", "rows");
    return read(query).path(0).at("/result/rows").asLong();
  }

  /** Asks and takes the whole answer. */
  public byte[] ask(String query) throws IOException, InterruptedException {
    return asking.post(broker + "/druid/v2/", "application/json", "", query);
  }

  public JsonNode read(JsonNode query) throws IOException, InterruptedException {
    return JsonHttp.JSON.readTree(ask(query.toString()));
  }

  /** The segments that a query reads something of, by their identifiers. */
  Set<String> segmentsOf(ObjectNode query) throws IOException, InterruptedException {
    ObjectNode copy = query.deepCopy();
    copy.withObject("/context").put("bySegment", true);
    Set<String> segments = new HashSet<>();
    for (JsonNode segment : read(copy)) {
      segments.add(segment.at("/result/segment").asText());
    }
    return segments;
  }

  /** The segments that queries see; what a compaction replaced stays in use for a while. */
  List<JsonNode> segments(String datasource) throws Exception {
    JsonNode all =
        http.get(
                coordinator
                    + "/druid/coordinator/v1/metadata/datasources/"
                    + datasource
                    + "/segments?full")
            .body();
    Map<String, String> newest = new HashMap<>();
    for (JsonNode segment : all) {
      newest.merge(
          segment.path("interval").asText(),
          segment.path("version").asText(),
          (one, other) -> one.compareTo(other) < 0 ? other : one);
    }
    List<JsonNode> seen = new ArrayList<>();
    for (JsonNode segment : all) {
      if (newest.get(segment.path("interval").asText()).equals(segment.path("version").asText())) {
        seen.add(segment);
      }
    }
    return seen;
  }

  static long bytes(List<JsonNode> segments) {
    long bytes = 0;
    for (JsonNode segment : segments) {
      bytes += segment.path("size").asLong();
    }
    return bytes;
  }

  /** Seconds of CPU that the processes which answer queries have used. */
  double cpuSeconds() throws IOException {
    return processes.cpuSeconds(ANSWERING);
  }

  /** Of the processes which answer queries. */
  WarmUp warmUp(BenchReport report) {
    return new WarmUp(processes, ANSWERING, report);
  }
}
