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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Fills Druid again from the lake, whatever Druid has or remembers now. Each row comes once: from
 * the lake those that a pinned snapshot of its table holds, from the topic those after it. Topics
 * are read again only when all rows of the lake are loaded and counted, so a run that ends early
 * leaves rows missing and never twice; the next begins from the start.
 */
public final class DruidRebuild {
  private static final String INDEXER = "/druid/indexer/v1/";
  private static final String SUPERVISORS = INDEXER + "supervisor";
  private static final String COORDINATOR = "/druid/coordinator/v1/";
  private static final String ALL_TIME = "1000-01-01T00:00:00.000Z/3000-01-01T00:00:00.000Z";
  private static final Duration SETTLING = Duration.ofMinutes(5);

  private static final Duration LONGEST_END = Duration.ofMinutes(3);

  /** Of one task, which loads a day. */
  private static final Duration LONGEST_TASK = Duration.ofHours(12);

  /**
   * A historical deletes its copy of a segment 30 s after it was told to drop it. Until then it
   * takes the old copy for a new segment of the same name.
   */
  private static final Duration FORGETTING = Duration.ofSeconds(35);

  private final Addresses addresses;
  private final InfraFiles files;
  private final String host;
  private final Instant now;
  private final Consumer<String> progress;
  private final Duration pause;
  private final Duration forgetting;
  private final EngineClient http;

  /** What a file of {@code infra/druid/ingestion} declares. */
  private record Table(
      String name, String topic, ObjectNode spec, LocalDate firstDay, boolean isByMonth) {
    /** What one task replaces: a segment must not be shared by two of them. */
    Span span(LocalDate day) {
      LocalDate begin = isByMonth ? day.withDayOfMonth(1) : day;
      return new Span(begin, isByMonth ? begin.plusMonths(1) : begin.plusDays(1));
    }
  }

  private record Span(LocalDate begin, LocalDate end) {
    String interval() {
      return begin + "T00:00:00.000Z/" + end + "T00:00:00.000Z";
    }
  }

  /**
   * Where a table's rows come from.
   *
   * @param parts of the lake, of days that Druid keeps
   * @param cut partition and offset from which on the topic has what they have not
   */
  private record Source(Table table, List<Part> parts, Map<Integer, Long> cut) {}

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
    this(addresses, host, now, progress, Duration.ofMillis(500), FORGETTING);
  }

  DruidRebuild(
      Addresses addresses,
      String host,
      Instant now,
      Consumer<String> progress,
      Duration pause,
      Duration forgetting) {
    this.addresses = addresses;
    this.http = addresses.access().http();
    this.files = addresses.files();
    this.host = host;
    this.now = now;
    this.progress = progress;
    this.pause = pause;
    this.forgetting = forgetting;
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
    List<Source> sources = new ArrayList<>();
    for (Table table : tables) {
      List<Part> parts =
          lake.pin(table.name()).stream()
              .filter(part -> table.span(part.day()).end().isAfter(table.firstDay()))
              .toList();
      Map<Integer, Long> cut = cuts.find(table.topic(), lines -> lake.stored(table.name(), lines));
      sources.add(new Source(table, parts, cut));
      progress.accept(
          "  %-14s %d rows of %d days from the lake, then the topic from %s"
              .formatted(
                  table.name(),
                  parts.stream().mapToLong(Part::rows).sum(),
                  parts.stream().map(Part::day).distinct().count(),
                  cut));
    }
    for (Table table : tables) {
      suspend(table);
    }
    for (Table table : tables) {
      empty(table.name());
    }
    for (Table table : tables) {
      forget(table.name());
    }
    awaitForgotten(tables);
    progress.accept("  Druid is empty");
    for (Source source : sources) {
      load(source.table(), source.parts(), lake);
      lake.release(source.table().name());
    }
    for (Source source : sources) {
      placeAt(source.table(), source.cut());
    }
    new DruidSetup(addresses).applyAfterRebuild();
    for (Source source : sources) {
      awaitStart(source.table(), source.cut());
    }
    progress.accept("  Rows of the topics stream again");
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
              LoadPeriod.firstDay(files.json(DruidSetup.loadRules(name)), today),
              isByMonth(
                  file, spec.at("/spec/dataSchema/granularitySpec/segmentGranularity").asText())));
    }
    return tables;
  }

  private static boolean isByMonth(String file, String granularity) {
    return switch (granularity) {
      case "HOUR", "DAY" -> false;
      case "MONTH" -> true;
      default ->
          throw ProvisionFailure.input(
              "infra/%s has segments of a %s; a rebuild knows HOUR, DAY and MONTH."
                  .formatted(file, granularity));
    };
  }

  /**
   * Replaces a supervisor by one that reads nothing, which only a rebuild that comes to its end
   * lets read again, and ends compaction. Ending the supervisor instead takes Druid more than a
   * minute, in which it waits for tasks to publish what is not wanted.
   */
  private void suspend(Table table) throws IOException, InterruptedException {
    ObjectNode waiting = table.spec().deepCopy();
    waiting.put("suspended", true);
    waiting.withObject("/context").put(DruidSetup.REVISION, DruidSetup.REBUILD);
    expect(http.post(at(SUPERVISORS), waiting), "takes no supervisor " + table.name());
    remove(COORDINATOR + "config/compaction/" + table.name(), "stop compacting " + table.name());
  }

  /**
   * Ends what reads into a datasource and takes its segments away. A task may publish what it had
   * read while it is ended, so this looks again until there is neither.
   */
  private void empty(String name) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + SETTLING.toNanos();
    while (true) {
      boolean isIdle = endTasks(name) == 0;
      remove(COORDINATOR + "datasources/" + name, "let segments of " + name + " go");
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
        end(INDEXER + "task/" + encoded(task.path("id").asText()) + "/shutdown");
      }
    }
    return tasks;
  }

  /** By the metadata: what the coordinator remembers is seconds old. */
  private int segments(String name) throws IOException, InterruptedException {
    EngineClient.Answer answer =
        http.post(
            at(COORDINATOR + "metadata/datasources/" + name + "/segments"),
            EngineClient.JSON.createArrayNode().add(ALL_TIME));
    expect(answer, "does not say which segments " + name + " has");
    return answer.body().size();
  }

  /**
   * Deletes what Druid remembers of segments that are no longer used. It gives their names to new
   * segments where nothing is used, and then takes those for published already: their rows would be
   * missing.
   */
  private void forget(String name) throws IOException, InterruptedException {
    String id = "rebuild_forget_%s_%s".formatted(name, now.getEpochSecond());
    ObjectNode kill = EngineClient.JSON.createObjectNode();
    kill.put("type", "kill").put("id", id).put("dataSource", name).put("interval", ALL_TIME);
    run(kill, id);
    long deadline = System.nanoTime() + SETTLING.toNanos();
    // Refused as long as any task of the datasource is listed.
    while (!http.delete(at(INDEXER + "pendingSegments/" + name + "?interval=" + ALL_TIME)).ok()) {
      awaitNext(deadline, "Druid does not forget names that it gave to segments of " + name);
    }
    int unused =
        get(COORDINATOR + "metadata/datasources/" + name + "/unusedSegments?limit=1").size();
    if (unused > 0 || segments(name) > 0) {
      throw ProvisionFailure.engine(
          "Druid still remembers segments of " + name + " that were deleted. Run it again.");
    }
  }

  /** Waits until no process answers with a segment of before, nor keeps a copy to answer with. */
  private void awaitForgotten(List<Table> tables) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + SETTLING.toNanos();
    boolean wasServed = false;
    for (Table table : tables) {
      while (http.get(at(COORDINATOR + "datasources/" + table.name())).status() == 200) {
        wasServed = true;
        awaitNext(deadline, "Historicals still serve segments of " + table.name());
      }
    }
    if (wasServed) {
      Thread.sleep(forgetting.toMillis());
    }
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

  /** Looks where the tasks really began: from an earlier offset, rows would be there twice. */
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
          suspend(table);
          throw ProvisionFailure.engine(
              "Druid read %s from %s instead of %s and was stopped. Run it again."
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

  /**
   * A task a day, or a month, the newest first; each puts all of its rows in the place of what is
   * there, or none.
   */
  private void load(Table table, List<Part> parts, LakeRows lake)
      throws IOException, InterruptedException {
    Map<Span, List<Part>> spans =
        new TreeMap<>(Comparator.comparing(Span::begin, Comparator.reverseOrder()));
    parts.forEach(
        part ->
            spans.computeIfAbsent(table.span(part.day()), first -> new ArrayList<>()).add(part));
    for (Map.Entry<Span, List<Part>> span : spans.entrySet()) {
      String begin = span.getKey().begin().toString();
      String id = "rebuild_%s_%s_%s".formatted(table.name(), begin, now.getEpochSecond());
      run(task(table, id, span.getKey(), span.getValue(), lake), id);
      long rows = span.getValue().stream().mapToLong(Part::rows).sum();
      long taken = rowsTaken(id);
      if (taken != rows) {
        throw ProvisionFailure.engine(
            "Druid took %d instead of the %d rows of %s in the lake. Druid is incomplete; run it again."
                .formatted(taken, rows, id));
      }
      progress.accept("  %-14s %s, %d rows".formatted(table.name(), begin, rows));
    }
  }

  /** Returns when a task has succeeded. */
  private void run(ObjectNode task, String id) throws IOException, InterruptedException {
    expect(http.post(at(INDEXER + "task"), task), "does not take the task " + id);
    long deadline = System.nanoTime() + LONGEST_TASK.toNanos();
    while (true) {
      JsonNode status =
          http.get(at(INDEXER + "task/" + encoded(id) + "/status")).body().path("status");
      if (status.path("statusCode").asText().equals("SUCCESS")) {
        return;
      }
      if (status.path("statusCode").asText().equals("FAILED")) {
        throw ProvisionFailure.engine(
            "Druid's task "
                + id
                + " failed: "
                + status.path("errorMsg").asText()
                + ". Druid is incomplete; run it again.");
      }
      awaitNext(deadline, "Druid's task " + id + " does not end");
    }
  }

  /** Counted by the task: rows outside its interval are left out without a failure. */
  private long rowsTaken(String id) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + SETTLING.toNanos();
    while (true) {
      JsonNode taken =
          http.get(at(INDEXER + "task/" + encoded(id) + "/reports"))
              .body()
              .findPath("buildSegments");
      if (!taken.isMissingNode()) {
        return taken.path("processed").asLong();
      }
      awaitNext(deadline, "Druid does not report how many rows " + id + " took");
    }
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  private ObjectNode task(Table table, String id, Span span, List<Part> parts, LakeRows lake) {
    ObjectNode task = EngineClient.JSON.createObjectNode();
    task.put("type", "index_parallel").put("id", id);
    ObjectNode spec = task.putObject("spec");
    spec.set("dataSchema", table.spec().at("/spec/dataSchema").deepCopy());
    spec.withObject("/dataSchema/granularitySpec").putArray("intervals").add(span.interval());
    ObjectNode io = spec.putObject("ioConfig");
    io.put("type", "index_parallel").put("appendToExisting", false);
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

  /** What is not there need not be removed. */
  private void remove(String path, String what) throws IOException, InterruptedException {
    EngineClient.Answer answer = http.delete(at(path));
    if (!answer.ok() && answer.status() != 404) {
      throw ProvisionFailure.engine("Druid does not " + what + ": " + answer.text());
    }
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
