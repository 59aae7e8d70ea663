package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.provision.LakeRows.Part;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Fills Druid again from the lake, whatever Druid has now, while rows stream on. Each row comes
 * once: from the lake those that a pinned snapshot of its table holds, from the topic those after
 * it. A run that ends early leaves Druid incomplete; the next begins from the start.
 */
public final class DruidRebuild {
  private static final String INDEXER = "/druid/indexer/v1/";
  private static final String SUPERVISORS = INDEXER + "supervisor";
  private static final String COORDINATOR = "/druid/coordinator/v1/";
  private static final Duration SETTLING = Duration.ofMinutes(5);

  private static final Duration LONGEST_END = Duration.ofMinutes(3);

  /** Of one task, which loads a day. */
  private static final Duration LONGEST_TASK = Duration.ofHours(12);

  private final Addresses addresses;
  private final InfraFiles files;
  private final String host;
  private final Instant now;
  private final Consumer<String> progress;
  private final Duration pause;
  private final EngineClient http;

  /** What a file of {@code infra/druid/ingestion} declares. */
  private record Table(String name, String topic, ObjectNode spec, LocalDate firstDay) {}

  /** Says where in a topic the rows begin that the lake does not have. */
  @FunctionalInterface
  interface Cuts {
    Map<Integer, Long> find(String topic, TopicCut.StoredPanes lake) throws Exception;
  }

  /**
   * @param host under which Druid's processes reach this machine, which serves them the rows
   * @param now today is what load rules are counted from
   */
  public DruidRebuild(Addresses addresses, String host, Instant now, Consumer<String> progress) {
    this(addresses, host, now, progress, Duration.ofMillis(500));
  }

  DruidRebuild(
      Addresses addresses, String host, Instant now, Consumer<String> progress, Duration pause) {
    this.addresses = addresses;
    this.http = addresses.access().http();
    this.files = addresses.files();
    this.host = host;
    this.now = now;
    this.progress = progress;
    this.pause = pause;
  }

  /**
   * Returns when Druid has and serves every row that its load rules keep.
   *
   * @throws ProvisionFailure what is wrong; Druid is then as before, or incomplete as the progress
   *     says
   */
  public void run() throws Exception {
    try (ProvisionLock lock = ProvisionLock.acquire(addresses, Duration.ofMinutes(20), progress);
        LakeRows lake = LakeRows.start(addresses, host)) {
      run(lake, new TopicCut(addresses.access().kafka(addresses.kafka()))::find);
    }
  }

  void run(LakeRows lake, Cuts cuts) throws Exception {
    List<Table> tables = tables();
    Map<String, List<Part>> parts = new LinkedHashMap<>();
    Map<String, Map<Integer, Long>> cut = new LinkedHashMap<>();
    for (Table table : tables) {
      List<Part> all = lake.pin(table.name());
      parts.put(
          table.name(), all.stream().filter(p -> !p.day().isBefore(table.firstDay())).toList());
      Map<Integer, Long> offsets =
          cuts.find(table.topic(), lines -> lake.stored(table.name(), lines));
      cut.put(table.name(), offsets);
      progress.accept(
          "  %-14s %d rows of %d days from the lake, then the topic from %s"
              .formatted(
                  table.name(),
                  parts.get(table.name()).stream().mapToLong(Part::rows).sum(),
                  parts.get(table.name()).stream().map(Part::day).distinct().count(),
                  offsets));
    }
    for (Table table : tables) {
      suspend(table);
    }
    for (Table table : tables) {
      empty(table.name());
    }
    progress.accept("  Druid is empty");
    for (Table table : tables) {
      placeAt(table, cut.get(table.name()));
    }
    new DruidSetup(addresses).apply();
    for (Table table : tables) {
      awaitStart(table, cut.get(table.name()));
    }
    progress.accept("  Rows of the topics stream again");
    for (Table table : tables) {
      load(table, parts.get(table.name()), lake);
      lake.release(table.name());
    }
    for (Table table : tables) {
      awaitServed(table);
    }
    progress.accept("  Druid serves everything");
  }

  private List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    LocalDate today = now.atZone(ZoneOffset.UTC).toLocalDate();
    for (String file : files.jsonFiles(DruidSetup.INGESTION)) {
      ObjectNode spec = (ObjectNode) files.json(file, addresses.fill(file, files.text(file)));
      // A suspended supervisor asks Kafka, too.
      addresses
          .access()
          .druidConsumer()
          .ifPresent(client -> spec.withObject("/spec/ioConfig/consumerProperties").setAll(client));
      String name = spec.at("/spec/dataSchema/dataSource").asText();
      tables.add(
          new Table(
              name,
              spec.at("/spec/ioConfig/topic").asText(),
              spec,
              LoadPeriod.firstDay(files.json(DruidSetup.loadRules(name)), today)));
    }
    return tables;
  }

  /**
   * Replaces a supervisor by one that reads nothing. Ending it instead takes Druid more than a
   * minute, in which it waits for tasks to publish what is not wanted.
   */
  private void suspend(Table table) throws IOException, InterruptedException {
    ObjectNode waiting = table.spec().deepCopy();
    waiting.put("suspended", true);
    waiting.withObject("/context").put(DruidSetup.REVISION, "rebuild");
    expect(http.post(at(SUPERVISORS), waiting), "takes no supervisor " + table.name());
  }

  /**
   * Ends what reads into a datasource and takes its segments away. A task may publish what it had
   * read while it is ended, so this looks again until there is neither.
   */
  private void empty(String name) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + SETTLING.toNanos();
    while (true) {
      boolean isIdle = endTasks(name) == 0;
      EngineClient.Answer removed = http.delete(at(COORDINATOR + "datasources/" + name));
      if (!removed.ok() && removed.status() != 404 && removed.status() != 204) {
        throw ProvisionFailure.engine(
            "Druid does not let segments of " + name + " go: " + removed.text());
      }
      if (isIdle && segments(name) == 0) {
        return;
      }
      awaitNext(deadline, "Druid still has tasks or segments of " + name);
    }
  }

  /**
   * One by one: a task that has published waits for its segment to be served, which it never is
   * once it was taken away, and Druid's call for all tasks of a datasource was seen to miss it.
   *
   * @return how many there were
   */
  private int endTasks(String name) throws IOException, InterruptedException {
    int tasks = 0;
    for (String state : List.of("running", "pending", "waiting")) {
      for (JsonNode task : get(INDEXER + "tasks?datasource=" + name + "&state=" + state)) {
        tasks++;
        String id = URLEncoder.encode(task.path("id").asText(), StandardCharsets.UTF_8);
        end(INDEXER + "task/" + id + "/shutdown");
      }
    }
    return tasks;
  }

  private int segments(String name) throws IOException, InterruptedException {
    EngineClient.Answer answer =
        http.get(at(COORDINATOR + "metadata/datasources/" + name + "/segments"));
    return answer.status() == 404 ? 0 : answer.body().size();
  }

  /** Tells a suspended supervisor at which offsets its rows begin. */
  private void placeAt(Table table, Map<Integer, Long> offsets)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + SETTLING.toNanos();
    while (!status(table).path("detailedState").asText().equals("SUSPENDED")) {
      awaitNext(deadline, "The supervisor " + table.name() + " does not answer");
    }
    ObjectNode position = EngineClient.JSON.createObjectNode().put("type", "kafka");
    ObjectNode map =
        position
            .putObject("partitions")
            .put("type", "end")
            .put("stream", table.topic())
            .putObject("partitionOffsetMap");
    offsets.forEach((partition, offset) -> map.put(partition.toString(), offset));
    expect(
        http.post(at(SUPERVISORS + "/" + table.name() + "/resetOffsets"), position),
        "does not begin at other offsets in " + table.topic());
  }

  /** Looks where the tasks really began: what Druid did not take would be rows twice. */
  private void awaitStart(Table table, Map<Integer, Long> offsets)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + SETTLING.toNanos();
    while (true) {
      Map<Integer, Long> began = new TreeMap<>();
      for (JsonNode task : status(table).path("activeTasks")) {
        task.path("startingOffsets")
            .properties()
            .forEach(o -> began.put(Integer.valueOf(o.getKey()), o.getValue().asLong()));
      }
      if (began.keySet().containsAll(offsets.keySet())) {
        if (!began.equals(offsets)) {
          throw ProvisionFailure.engine(
              "Druid reads %s from %s instead of %s: rows would be there twice. Run it again."
                  .formatted(table.topic(), began, offsets));
        }
        return;
      }
      awaitNext(deadline, "No task of " + table.name() + " has begun");
    }
  }

  private JsonNode status(Table table) throws IOException, InterruptedException {
    return http.get(at(SUPERVISORS + "/" + table.name() + "/status")).body().path("payload");
  }

  /** A task a day, the newest first; each publishes all of its rows at once, or none. */
  private void load(Table table, List<Part> parts, LakeRows lake)
      throws IOException, InterruptedException {
    Map<LocalDate, List<Part>> days = new TreeMap<>(Comparator.reverseOrder());
    parts.forEach(part -> days.computeIfAbsent(part.day(), first -> new ArrayList<>()).add(part));
    for (Map.Entry<LocalDate, List<Part>> day : days.entrySet()) {
      String id = "rebuild_%s_%s_%s".formatted(table.name(), day.getKey(), now.getEpochSecond());
      ObjectNode task = task(table, id, day.getValue(), lake);
      expect(http.post(at(INDEXER + "task"), task), "does not take the task " + id);
      long deadline = System.nanoTime() + LONGEST_TASK.toNanos();
      JsonNode status = EngineClient.JSON.missingNode();
      while (!status.path("statusCode").asText().equals("SUCCESS")) {
        if (status.path("statusCode").asText().equals("FAILED")) {
          throw ProvisionFailure.engine(
              "Druid's task "
                  + id
                  + " failed: "
                  + status.path("errorMsg").asText()
                  + ". Druid is incomplete; run it again.");
        }
        awaitNext(deadline, "Druid's task " + id + " does not end");
        status =
            http.get(
                    at(
                        INDEXER
                            + "task/"
                            + URLEncoder.encode(id, StandardCharsets.UTF_8)
                            + "/status"))
                .body()
                .path("status");
      }
      progress.accept(
          "  %-14s %s, %d rows"
              .formatted(
                  table.name(), day.getKey(), day.getValue().stream().mapToLong(Part::rows).sum()));
    }
  }

  private ObjectNode task(Table table, String id, List<Part> parts, LakeRows lake) {
    ObjectNode task = EngineClient.JSON.createObjectNode();
    task.put("type", "index_parallel").put("id", id);
    ObjectNode spec = task.putObject("spec");
    spec.set("dataSchema", table.spec().at("/spec/dataSchema"));
    ObjectNode io = spec.putObject("ioConfig");
    io.put("type", "index_parallel").put("appendToExisting", true);
    ObjectNode source = io.putObject("inputSource");
    source.put("type", "http").put("httpAuthenticationUsername", lake.user());
    source
        .putObject("httpAuthenticationPassword")
        .put("type", "default")
        .put("password", lake.password());
    ArrayNode uris = source.putArray("uris");
    parts.forEach(part -> uris.add(lake.uri(table.name(), part)));
    io.putObject("inputFormat").put("type", "json");
    spec.putObject("tuningConfig")
        .put("type", "index_parallel")
        .put("maxNumConcurrentSubTasks", 1)
        .put("maxRowsInMemory", 100_000)
        .put("maxParseExceptions", 0)
        .putObject("partitionsSpec")
        .put("type", "dynamic")
        .put("maxRowsPerSegment", 1_000_000);
    // Beside the streaming tasks, which append to the same hours.
    task.putObject("context").put("useConcurrentLocks", true);
    return task;
  }

  /** Asks with a look at the metadata: what the coordinator remembers is older than the tasks. */
  private void awaitServed(Table table) throws IOException, InterruptedException {
    String path =
        COORDINATOR
            + "datasources/"
            + table.name()
            + "/loadstatus?simple&forceMetadataRefresh=true";
    long deadline = System.nanoTime() + SETTLING.toNanos();
    while (true) {
      long missing = 0;
      for (JsonNode unavailable : get(path)) {
        missing += unavailable.asLong();
      }
      if (missing == 0) {
        return;
      }
      awaitNext(
          deadline,
          missing + " segments of " + table.name() + " are not served by any historical yet");
    }
  }

  private void awaitNext(long deadline, String lack) throws InterruptedException {
    if (System.nanoTime() > deadline) {
      throw ProvisionFailure.engine(lack + ". Look at Druid, then run it again.");
    }
    Thread.sleep(pause.toMillis());
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    EngineClient.Answer answer = http.get(at(path));
    expect(answer, "does not answer at " + path);
    return answer.body();
  }

  /** What is not there has nothing to end. */
  private void end(String path) throws IOException, InterruptedException {
    // A supervisor waits for what its tasks publish.
    EngineClient.Answer answer =
        http.send(
            HttpRequest.newBuilder(URI.create(at(path)))
                .timeout(LONGEST_END)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}")));
    if (answer.status() != 404) {
      expect(answer, "refuses " + path);
    }
  }

  private static void expect(EngineClient.Answer answer, String what) {
    if (!answer.ok()) {
      throw ProvisionFailure.engine(
          "Druid %s: %d %s".formatted(what, answer.status(), answer.text()));
    }
  }

  private String at(String path) {
    return addresses.druidCoordinator() + path;
  }
}
