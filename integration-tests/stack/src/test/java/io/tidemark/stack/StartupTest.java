package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.stack.process.ProcessSpec;
import io.tidemark.stack.process.ProcessTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes are listed after what they depend on, and prepared for those before they start. */
class StartupTest {
  private static ProcessSpec spec(String id, String... dependsOn) {
    return spec(id, List.of("true"), () -> {}, dependsOn);
  }

  private static ProcessSpec spec(
      String id, List<String> command, ProcessSpec.Preparation onReady, String... dependsOn) {
    return new ProcessSpec(
        id,
        command,
        Map.of(),
        List.of(),
        List.of(dependsOn),
        Map.of(id, 1),
        () -> {},
        () -> true,
        onReady,
        Duration.ofSeconds(1),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(1)));
  }

  @Test
  void whatComesBeforeIsListedBefore() {
    assertThatCode(
            () ->
                Startup.requireOrder(List.of(spec("kafka", "object-store"), spec("api", "kafka"))))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> Startup.requireOrder(List.of(spec("batch", "api"), spec("api", "kafka"))))
        .hasMessage("api is listed after batch, which depends on it");
  }

  @Test
  void whatIsUpIsPreparedForTheOthersToo(@TempDir Path folder) throws Exception {
    ProcessTable table = new ProcessTable(folder.resolve("run"), folder.resolve("logs"));
    Startup startup = new Startup(table, line -> {});
    AtomicInteger prepared = new AtomicInteger();
    ProcessSpec database =
        spec("database", List.of("sh", "-c", "exec tail -f /dev/null"), prepared::incrementAndGet);
    try {
      assertThat(startup.startAll(List.of(database))).isEqualTo(1);
      assertThat(startup.startAll(List.of(database))).as("it is up").isEqualTo(0);
      assertThat(prepared).hasValue(2);
    } finally {
      table.kill("database");
    }
  }
}
