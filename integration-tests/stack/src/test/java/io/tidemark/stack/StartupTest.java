package io.tidemark.stack;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.stack.process.ProcessSpec;
import io.tidemark.stack.process.ProcessTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes are listed after what they depend on, and prepared for those before they start. */
class StartupTest {
  private static final List<String> RUNS = List.of("sh", "-c", "exec tail -f /dev/null");

  private static final List<String> TAKES_ITS_TIME =
      List.of("sh", "-c", "trap '' TERM; exec tail -f /dev/null");

  private static ProcessSpec spec(String id, String... dependsOn) {
    return spec(id, List.of("true"), () -> {}, dependsOn);
  }

  private static ProcessSpec spec(
      String id, List<String> command, ProcessSpec.Preparation onReady, String... dependsOn) {
    return spec(id, command, onReady, List.of(dependsOn), List.of());
  }

  private static ProcessSpec spec(
      String id,
      List<String> command,
      ProcessSpec.Preparation onReady,
      List<String> dependsOn,
      List<String> endsBefore) {
    return new ProcessSpec(
        id,
        command,
        Map.of(),
        List.of(),
        dependsOn,
        Map.of(id, 1),
        () -> {},
        () -> true,
        onReady,
        Duration.ofSeconds(1),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(1), endsBefore));
  }

  @Test
  void whatComesBeforeIsListedBefore() {
    assertThatCode(
            () ->
                Startup.requireOrder(List.of(spec("kafka", "object-store"), spec("api", "kafka"))))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> Startup.requireOrder(List.of(spec("batch", "api"), spec("api", "kafka"))))
        .hasMessage("api is listed after batch, which needs it");
    assertThatThrownBy(
            () ->
                Startup.requireOrder(
                    List.of(
                        spec("api", RUNS, () -> {}, List.of(), List.of("kafka")), spec("kafka"))))
        .hasMessage("kafka is listed after api, which needs it");
  }

  @Test
  void whatStartsBesideAnotherStillEndsBeforeIt(@TempDir Path folder) throws Exception {
    ProcessTable table = new ProcessTable(folder.resolve("run"), folder.resolve("logs"));
    List<String> told = new CopyOnWriteArrayList<>();
    Startup startup = new Startup(table, line -> told.add(line.trim().split(" +")[0]));
    CountDownLatch apiServes = new CountDownLatch(1);
    // This broker serves only once the other does: a start that waited for it would fail.
    ProcessSpec kafka =
        spec("kafka", RUNS, () -> assertThat(apiServes.await(10, SECONDS)).isTrue());
    ProcessSpec api =
        spec("api", TAKES_ITS_TIME, apiServes::countDown, List.of(), List.of("kafka"));
    try {
      assertThat(startup.startAll(List.of(kafka, api))).isEqualTo(2);
      told.clear();
      startup.stopAll(List.of(kafka, api));
      assertThat(told).containsExactly("api", "kafka");
    } finally {
      for (String id : List.of("api", "kafka")) {
        if (table.find(id).isPresent()) {
          table.kill(id);
        }
      }
    }
  }

  @Test
  void whatIsUpIsPreparedForTheOthersToo(@TempDir Path folder) throws Exception {
    ProcessTable table = new ProcessTable(folder.resolve("run"), folder.resolve("logs"));
    Startup startup = new Startup(table, line -> {});
    AtomicInteger prepared = new AtomicInteger();
    ProcessSpec database = spec("database", RUNS, prepared::incrementAndGet);
    try {
      assertThat(startup.startAll(List.of(database))).isEqualTo(1);
      assertThat(startup.startAll(List.of(database))).as("it is up").isEqualTo(0);
      assertThat(prepared).hasValue(2);
    } finally {
      table.kill("database");
    }
  }
}
