package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets streaming tasks publish the rows that they hold, before Druid stops. Without it nothing is
 * lost: the next start reads these rows again, which takes as long as reading them did.
 */
public final class DruidHandoff {
  private static final String SUPERVISORS = "/druid/indexer/v1/supervisor";

  /** Not by type: an overlord that was started again lists none of the tasks it finds by type. */
  private static final String RUNNING = "/druid/indexer/v1/runningTasks";

  private static final String TASK = "/druid/indexer/v1/task";

  private static final String STREAMING = "index_kafka";

  private final Addresses addresses;
  private final EngineClient http;

  public DruidHandoff(Addresses addresses) {
    this.addresses = addresses;
    this.http = addresses.access().http();
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
    List<JsonNode> asked = running();
    for (JsonNode name : read(SUPERVISORS)) {
      ObjectNode groups = EngineClient.JSON.createObjectNode();
      // Each topic is read by one group: `taskCount` of infra/druid/ingestion.
      groups.putArray("taskGroupIds").add(0);
      String path = SUPERVISORS + "/" + name.asText() + "/taskGroups/handoff";
      EngineClient.Answer answer = http.post(addresses.druidCoordinator() + path, groups);
      if (!answer.ok()) {
        throw new IOException("Druid answered " + answer.status() + " at " + path);
      }
    }
    List<JsonNode> holding = asked;
    while (!holding.isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(250);
      List<JsonNode> left = new ArrayList<>();
      List<JsonNode> running = running();
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
        http.post(addresses.druidCoordinator() + path, EngineClient.JSON.createObjectNode());
    // It may have ended by itself.
    if (!answer.ok() && running().stream().anyMatch(one -> id(one).equals(task))) {
      throw new IOException("Druid answered " + answer.status() + " at " + path);
    }
  }

  private List<JsonNode> running() throws IOException, InterruptedException {
    List<JsonNode> tasks = new ArrayList<>();
    for (JsonNode task : read(RUNNING)) {
      if (task.path("type").asText().equals(STREAMING)) {
        tasks.add(task);
      }
    }
    return tasks;
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
    EngineClient.Answer answer = http.get(addresses.druidCoordinator() + path);
    if (!answer.ok()) {
      throw new IOException("Druid answered " + answer.status() + " at " + path);
    }
    return answer.body();
  }
}
