package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Lets streaming tasks publish the rows that they hold, before Druid stops. Without it nothing is
 * lost: the next start reads these rows again, which takes as long as reading them did.
 */
public final class DruidHandoff {
  private static final String SUPERVISORS = "/druid/indexer/v1/supervisor";

  /** Not by type: an overlord that was started again lists none of the tasks it finds by type. */
  private static final String RUNNING = "/druid/indexer/v1/runningTasks";

  private static final String STREAMING = "index_kafka";

  private final Addresses addresses;
  private final EngineClient http;

  public DruidHandoff(Addresses addresses) {
    this.addresses = addresses;
    this.http = addresses.access().http();
  }

  /**
   * Asks every supervisor's tasks to publish, and waits until they have ended.
   *
   * @param patience how long
   * @return how many tasks have not ended by then
   * @throws IOException Druid does not answer
   */
  public int publish(Duration patience) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    Set<String> holding = running();
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
    while (!holding.isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(250);
      holding.retainAll(running());
    }
    return holding.size();
  }

  private Set<String> running() throws IOException, InterruptedException {
    Set<String> ids = new HashSet<>();
    for (JsonNode task : read(RUNNING)) {
      if (task.path("type").asText().equals(STREAMING)) {
        ids.add(task.path("id").asText());
      }
    }
    return ids;
  }

  private JsonNode read(String path) throws IOException, InterruptedException {
    EngineClient.Answer answer = http.get(addresses.druidCoordinator() + path);
    if (!answer.ok()) {
      throw new IOException("Druid answered " + answer.status() + " at " + path);
    }
    return answer.body();
  }
}
