package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.PortPlan;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.TidemarkStack;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The verbs that people use: a second start changes nothing, a used port is said before anything
 * runs.
 */
@ExtendWith(RunningStack.class)
@Isolated("the whole stack is looked at and started again")
class LifecycleIT {
  private final RunningStack.Started running = RunningStack.get();

  @Test
  void aSecondStartRestartsNothing() throws Exception {
    var before = running.stack().status();
    running.stack().up();
    var after = running.stack().status();
    assertThat(after).extracting(TidemarkStack.ComponentStatus::state).containsOnly("up");
    assertThat(after)
        .extracting(TidemarkStack.ComponentStatus::since)
        .isEqualTo(before.stream().map(TidemarkStack.ComponentStatus::since).toList());
  }

  @Test
  void theCoordinatesAreCompleteAndPrivate() throws Exception {
    Path file = running.coordinates().file();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(EnvironmentFile.read(file))
        .containsKeys(
            "TIDEMARK_URL",
            "TIDEMARK_OTLP_HTTP",
            "TIDEMARK_OTLP_GRPC",
            "TIDEMARK_KAFKA_DOOR",
            "TIDEMARK_KAFKA",
            "TIDEMARK_DRUID",
            "TIDEMARK_FLINK",
            "TIDEMARK_POSTGRES",
            "TIDEMARK_ICEBERG_WAREHOUSE",
            "TIDEMARK_ORGANIZATION",
            "TIDEMARK_ENVIRONMENT",
            "TIDEMARK_API_KEY",
            "TIDEMARK_API_SECRET");
  }

  @Test
  void aUsedPortIsToldBeforeAnythingStarts(@TempDir Path home) throws Exception {
    PortPlan free = PortPlan.free((int) ProcessHandle.current().pid() + 100);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Map<String, Integer> ports = new LinkedHashMap<>(free.ports());
      ports.put("kafka", taken.getLocalPort());
      TidemarkStack other =
          new TidemarkStack(running.settings().at(home, new PortPlan(ports)), text -> {});
      assertThatThrownBy(other::up)
          .isInstanceOf(StackFailure.class)
          .hasMessageContaining(
              "Port " + taken.getLocalPort() + " (kafka) is used by another program")
          .hasMessageContaining("TIDEMARK_PORT_BASE=");
      assertThat(other.status())
          .extracting(TidemarkStack.ComponentStatus::state)
          .containsOnly("down");
    }
  }

  @Test
  void anUnknownComponentIsNamed() {
    assertThatThrownBy(() -> running.stack().kill("kafak"))
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("kafak")
        .hasMessageContaining("flink-taskmanager");
  }
}
