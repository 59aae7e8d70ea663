package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waits for the tasks that held rows, and for no others. */
class DruidHandoffTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final String TASKS = "/druid/indexer/v1/runningTasks";

  private TestingDruid druid;
  private DruidHandoff handoff;

  @BeforeEach
  void declare() throws Exception {
    druid = new TestingDruid();
    Addresses addresses =
        new Addresses(
            ROOT,
            "broker:9092",
            druid.url(),
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
      tasks.addObject().put("id", id).put("type", "index_kafka");
    }
    tasks.addObject().put("id", "compact").put("type", "compact");
    druid.told.put(TASKS, tasks);
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
        .hasSize(4)
        .allMatch(path -> path.endsWith("/taskGroups/handoff"))
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
  void aRefusalIsSaid() {
    druid.refuses = (path, body) -> true;
    assertThatThrownBy(() -> handoff.publish(Duration.ofSeconds(30)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("400")
        .hasMessageContaining("handoff");
  }
}
