package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.stack.process.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Processes are listed after what they depend on. */
class StartupTest {
  private static ProcessSpec spec(String id, String... dependsOn) {
    return new ProcessSpec(
        id,
        List.of("true"),
        Map.of(),
        List.of(),
        List.of(dependsOn),
        Map.of(id, 1),
        () -> {},
        () -> true,
        () -> {},
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
}
