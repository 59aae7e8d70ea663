package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes streaming tasks follow each other at once and without a row read twice: before Druid stops
 * they publish what they hold, those that were lost with their process are ended, and those that
 * wait are given to a worker that has come. Without it nothing is lost, and the next start takes
 * longer: a task that is begun again reads from its first row on, also what it had published.
 */
public final class DruidHandoff {
  private static final String SUPERVISORS = "/druid/indexer/v1/supervisor";

  /** Not by type: an overlord that was started again lists none of the tasks it finds by type. */
  private static final String RUNNING = "/druid/indexer/v1/runningTasks";

  /** Of tasks that no worker has yet. */
  private static final String PENDING = "/druid/indexer/v1/pendingTasks";

  /**
   * Tasks that have not ended, in the order in which the overlord takes them up: one that goes on
   * while they are read is in the next list.
   */
  private static final List<String> UNFINISHED =
      List.of("/druid/indexer/v1/waitingTasks", PENDING, RUNNING);

  private static final String TASK = "/druid/indexer/v1/task";

  private static final String STREAMING = "index_kafka";

  private final String coordinator;
  private final EngineClient http;

  /**
   * The tasks of one Druid.
   *
   * @param coordinator base URL of coordinator and overlord
   */
  public DruidHandoff(String coordinator, EngineAccess access) {
    this.coordinator = coordinator;
    this.http = access.http();
  }

  public DruidHandoff(Addresses addresses) {
    this(addresses.druidCoordinator(), addresses.access());
  }

  /**
   * Ends all streaming tasks, while no process runs any: their supervisors make others, which begin
   * behind what was published.
   *
   * @return how many were ended
   * @throws IOException Druid does not answer
   */
  public int endLost() throws IOException, InterruptedException {
    List<JsonNode> lost = tasks(UNFINISHED);
    for (JsonNode task : lost) {
      end(id(task));
    }
    return lost.size();
  }

  /**
   * Gives streaming tasks that wait to a worker that has come. The overlord looks for a worker when
   * one comes, which is before that one has said that it is free, and then when a task comes: it is
   * sent one that does nothing. By itself it would look again within a minute.
   *
   * @param patience how long
   * @return how many tasks wait then
   * @throws IOException Druid does not answer
   */
  public int assignPending(Duration patience) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    int pending = tasks(List.of(PENDING)).size();
    while (pending > 0 && System.nanoTime() < deadline) {
      ObjectNode nothing = EngineClient.JSON.createObjectNode();
      nothing.put("type", "noop").put("runTime", 0);
      EngineClient.Answer answer = http.post(coordinator + TASK, nothing);
      if (!answer.ok()) {
        throw new IOException("Druid answered " + answer.status() + " at " + TASK);
      }
      Thread.sleep(1_000);
      pending = tasks(List.of(PENDING)).size();
    }
    return pending;
  }

  /**
   * Asks every supervisor's tasks to publish, waits until they hold nothing, and ends those. By
   * themselves they would go on until historicals have loaded what they published, which a stop
   * need not wait for. But one that stops with the processes begins again from its first row at the
   * next start: until it fails to publish a second time, answers count its rows twice.
   *
   * @param patience how long
   * @return how many tasks hold rows then
   * @throws IOException Druid does not answer
   */
  public int publish(Duration patience) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    List<JsonNode> asked = tasks(List.of(RUNNING));
    for (JsonNode name : read(SUPERVISORS)) {
      ObjectNode groups = EngineClient.JSON.createObjectNode();
      // Each topic is read by one group: `taskCount` of infra/druid/ingestion.
      groups.putArray("taskGroupIds").add(0);
      String path = SUPERVISORS + "/" + name.asText() + "/taskGroups/handoff";
      EngineClient.Answer answer = http.post(coordinator + path, groups);
      if (!answer.ok()) {
        throw new IOException("Druid answered " + answer.status() + " at " + path);
      }
    }
    List<JsonNode> holding = asked;
    while (!holding.isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(250);
      List<JsonNode> left = new ArrayList<>();
      List<JsonNode> running = tasks(List.of(RUNNING));
      for (JsonNode task : holding) {
        if (running.stream().anyMatch(one -> id(one).equals(id(task))) && holdsRows(task)) {
          left.add(task);
        }
      }
      holding = left;
    }
    for (JsonNode task : asked) {
      if (!holding.contains(task)) {
        end(id(task));
      }
    }
    return holding.size();
  }

  /** What it has published stays. */
  private void end(String task) throws IOException, InterruptedException {
    String path = TASK + "/" + task + "/shutdown";
    EngineClient.Answer answer =
        http.post(coordinator + path, EngineClient.JSON.createObjectNode());
    // It may have ended by itself.
    if (!answer.ok() && tasks(UNFINISHED).stream().anyMatch(one -> id(one).equals(task))) {
      throw new IOException("Druid answered " + answer.status() + " at " + path);
    }
  }

  /** Each task once, as the last list has it. */
  private List<JsonNode> tasks(List<String> lists) throws IOException, InterruptedException {
    Map<String, JsonNode> tasks = new LinkedHashMap<>();
    for (String list : lists) {
      for (JsonNode task : read(list)) {
        if (task.path("type").asText().equals(STREAMING)) {
          tasks.put(id(task), task);
        }
      }
    }
    return List.copyOf(tasks.values());
  }

  private static String id(JsonNode task) {
    return task.path("id").asText();
  }

  /** A task has a checkpoint for each sequence of rows that it has not published. */
  private boolean holdsRows(JsonNode task) throws InterruptedException {
    JsonNode location = task.path("location");
    int encrypted = location.path("tlsPort").asInt(-1);
    int port = encrypted > 0 ? encrypted : location.path("port").asInt(-1);
    if (port <= 0) {
      // No process has taken it yet.
      return false;
    }
    String worker =
        (encrypted > 0 ? "https://" : "http://") + location.path("host").asText() + ":" + port;
    try {
      EngineClient.Answer answer =
          http.get(worker + "/druid/worker/v1/chat/" + id(task) + "/checkpoints");
      return !answer.ok() || !answer.body().isEmpty();
    } catch (IOException ending) {
      return true;
    }
  }

  private JsonNode read(String path) throws IOException, InterruptedException {
    EngineClient.Answer answer = http.get(coordinator + path);
    if (!answer.ok()) {
      throw new IOException("Druid answered " + answer.status() + " at " + path);
    }
    return answer.body();
  }
}
