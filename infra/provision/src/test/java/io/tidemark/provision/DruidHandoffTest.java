package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waits for the tasks that held rows, and for no others. */
class DruidHandoffTest {
  private static final String TASKS = "/druid/indexer/v1/runningTasks";

  private TestingDruid druid;
  private DruidHandoff handoff;

  @BeforeEach
  void declare() throws Exception {
    druid = new TestingDruid();
    Addresses addresses = druid.addresses();
    new DruidSetup(addresses).apply();
    druid.posts.clear();
    running("held-1", "held-2");
    handoff = new DruidHandoff(addresses);
  }

  @AfterEach
  void stop() {
    druid.close();
  }

  private void running(String... ids) {
    ArrayNode tasks = EngineClient.JSON.createArrayNode();
    for (String id : ids) {
      tasks
          .addObject()
          .put("id", id)
          .put("type", "index_kafka")
          .putObject("location")
          .put("host", "127.0.0.1")
          .put("port", URI.create(druid.url()).getPort());
      holds(id, 1);
    }
    tasks.addObject().put("id", "compact").put("type", "compact");
    druid.told.put(TASKS, tasks);
  }

  private void holds(String id, int sequences) {
    ObjectNode checkpoints = EngineClient.JSON.createObjectNode();
    for (int sequence = 0; sequence < sequences; sequence++) {
      checkpoints.putObject(Integer.toString(sequence)).put("0", 10 * sequence);
    }
    druid.told.put("/druid/worker/v1/chat/" + id + "/checkpoints", checkpoints);
  }

  /** Started again, it would read its published rows a second time. */
  @Test
  void aTaskThatHasPublishedIsEndedAndOneThatHoldsRowsIsNot() throws Exception {
    druid.refuses =
        (path, body) -> {
          holds("held-1", 0);
          return false;
        };
    assertThat(handoff.publish(Duration.ofMillis(300))).isEqualTo(1);
    assertThat(druid.posts)
        .filteredOn(path -> path.endsWith("/shutdown"))
        .containsExactly("/druid/indexer/v1/task/held-1/shutdown");
  }

  @Test
  void aTaskThatHasPublishedIsNotWaitedFor() throws Exception {
    druid.refuses =
        (path, body) -> {
          holds("held-1", 0);
          holds("held-2", 0);
          return false;
        };
    assertThat(handoff.publish(Duration.ofSeconds(30))).isZero();
  }

  @Test
  void everySupervisorIsAskedAndSuccessorsAreNotWaitedFor() throws Exception {
    druid.refuses =
        (path, body) -> {
          running("successor");
          return false;
        };
    assertThat(handoff.publish(Duration.ofSeconds(30))).isZero();
    assertThat(druid.posts)
        .filteredOn(path -> path.endsWith("/taskGroups/handoff"))
        .hasSize(4)
        .anyMatch(path -> path.contains("/rollup_1m_hc/"));
  }

  @Test
  void aTaskThatDoesNotEndIsCounted() throws Exception {
    druid.refuses =
        (path, body) -> {
          running("held-2", "successor");
          return false;
        };
    assertThat(handoff.publish(Duration.ofMillis(300))).isEqualTo(1);
  }

  @Test
  void aTaskThatNoProcessHasTakenHoldsNothing() throws Exception {
    ArrayNode tasks = EngineClient.JSON.createArrayNode();
    ObjectNode task = tasks.addObject().put("id", "begins").put("type", "index_kafka");
    task.putObject("location").putNull("host").put("port", -1).put("tlsPort", -1);
    druid.told.put(TASKS, tasks);
    assertThat(handoff.publish(Duration.ofSeconds(30))).isZero();
  }

  /** Begun again, one that published would read its published rows a second time. */
  @Test
  void tasksThatNoProcessRunsAreEndedWhereverTheOverlordHasThem() throws Exception {
    listed("/druid/indexer/v1/pendingTasks", "index_kafka", "pending");
    listed("/druid/indexer/v1/waitingTasks", "index_kafka", "waiting");
    assertThat(handoff.endLost()).isEqualTo(4);
    assertThat(druid.posts)
        .containsExactlyInAnyOrder(
            "/druid/indexer/v1/task/held-1/shutdown",
            "/druid/indexer/v1/task/held-2/shutdown",
            "/druid/indexer/v1/task/pending/shutdown",
            "/druid/indexer/v1/task/waiting/shutdown");
  }

  /** An overlord that was started takes its tasks up one after the other. */
  @Test
  void aTaskThatGoesOnToTheNextListWhileTheyAreReadIsEnded() throws Exception {
    running();
    AtomicReference<String> list = new AtomicReference<>("/druid/indexer/v1/waitingTasks");
    druid.looks =
        path -> {
          if (path.equals(TASKS)) {
            return Optional.empty();
          }
          ArrayNode tasks = EngineClient.JSON.createArrayNode();
          if (path.equals(list.getAndSet("/druid/indexer/v1/pendingTasks"))) {
            tasks.addObject().put("id", "goes-on").put("type", "index_kafka");
          }
          return Optional.of(tasks);
        };
    assertThat(handoff.endLost()).isEqualTo(1);
    assertThat(druid.posts).containsExactly("/druid/indexer/v1/task/goes-on/shutdown");
  }

  @Test
  void compactionThatWaitsIsNotEnded() throws Exception {
    running();
    listed("/druid/indexer/v1/pendingTasks", "compact", "compaction");
    listed("/druid/indexer/v1/waitingTasks", "compact", "later");
    assertThat(handoff.endLost()).isZero();
    assertThat(druid.posts).isEmpty();
  }

  /** The overlord looks for a worker when a task comes. */
  @Test
  void tasksThatWaitAreGivenToAWorkerByATaskThatDoesNothing() throws Exception {
    listed("/druid/indexer/v1/pendingTasks", "index_kafka", "waits");
    druid.refuses =
        (path, body) -> {
          if (path.equals("/druid/indexer/v1/task") && body.path("type").asText().equals("noop")) {
            listed("/druid/indexer/v1/pendingTasks", "compact", "waits-too");
          }
          return false;
        };
    assertThat(handoff.assignPending(Duration.ofSeconds(10))).isZero();
    assertThat(druid.posts).containsExactly("/druid/indexer/v1/task");
  }

  @Test
  void whereNoStreamingTaskWaitsNoneIsSent() throws Exception {
    listed("/druid/indexer/v1/pendingTasks", "compact", "waits");
    assertThat(handoff.assignPending(Duration.ofSeconds(10))).isZero();
    assertThat(druid.posts).isEmpty();
  }

  @Test
  void tasksThatNoWorkerTakesAreCounted() throws Exception {
    listed("/druid/indexer/v1/pendingTasks", "index_kafka", "waits");
    assertThat(handoff.assignPending(Duration.ofMillis(100))).isEqualTo(1);
  }

  private void listed(String path, String type, String id) {
    druid.told.put(
        path,
        EngineClient.JSON
            .createArrayNode()
            .add(EngineClient.JSON.createObjectNode().put("id", id).put("type", type)));
  }

  @Test
  void aRefusalIsSaid() {
    druid.refuses = (path, body) -> true;
    assertThatThrownBy(() -> handoff.publish(Duration.ofSeconds(30)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("400")
        .hasMessageContaining("handoff");
  }
}
