package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Asks Druid's overlord and coordinator for what a rebuild needs, and waits until it is so. Fails
 * with what Druid answers, or with what is still lacking when it has waited long enough.
 */
final class DruidIndexing {
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

  private final EngineClient http;
  private final String url;
  private final Duration pause;
  private final Duration forgetting;

  DruidIndexing(Addresses addresses) {
    this(addresses, Duration.ofMillis(500), FORGETTING);
  }

  /**
   * @param pause between two looks
   * @param forgetting how long historicals keep copies that they were told to drop
   */
  DruidIndexing(Addresses addresses, Duration pause, Duration forgetting) {
    this.http = addresses.access().http();
    this.url = addresses.druidCoordinator();
    this.pause = pause;
    this.forgetting = forgetting;
  }

  /**
   * Replaces a supervisor by one that reads nothing, which only a rebuild that comes to its end
   * lets read again, and ends compaction. Ending the supervisor instead takes Druid more than a
   * minute, in which it waits for tasks to publish what is not wanted.
   */
  void suspend(DruidTable table) throws IOException, InterruptedException {
    expect(http.post(at(SUPERVISORS), table.suspended()), "takes no supervisor " + table.name());
    remove(COORDINATOR + "config/compaction/" + table.name(), "stop compacting " + table.name());
  }

  /**
   * Ends what reads into a datasource and takes its segments away. A task may publish what it had
   * read while it is ended, so this looks again until there is neither.
   */
  void empty(String name) throws IOException, InterruptedException {
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
  void forget(String name, String id) throws IOException, InterruptedException {
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
  void awaitForgotten(List<DruidTable> tables) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + SETTLING.toNanos();
    boolean wasServed = false;
    for (DruidTable table : tables) {
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
  void placeAt(DruidTable table, Map<Integer, Long> offsets)
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
  void awaitStart(DruidTable table, Map<Integer, Long> offsets)
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

  /** Returns when a task has succeeded. */
  void run(ObjectNode task, String id) throws IOException, InterruptedException {
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
  long rowsTaken(String id) throws IOException, InterruptedException {
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

  /** Asks with a look at the metadata: what the coordinator remembers is older than the tasks. */
  void awaitServed(String name) throws IOException, InterruptedException {
    String path =
        COORDINATOR + "datasources/" + name + "/loadstatus?simple&forceMetadataRefresh=true";
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
          deadline, missing + " segments of " + name + " are not served by any historical yet");
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
    return url + path;
  }

  private JsonNode status(DruidTable table) throws IOException, InterruptedException {
    return http.get(at(SUPERVISORS + "/" + table.name() + "/status")).body().path("payload");
  }
}
