package io.tidemark.stack.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With a real process of the operating system: finding it again is what crash recovery of the
 * launcher stands on.
 */
class ProcessTableTest {
  @TempDir private Path folder;
  private ProcessTable table;

  @BeforeEach
  void open() {
    table = new ProcessTable(folder.resolve("run"), folder.resolve("logs"));
  }

  @AfterEach
  void end() throws Exception {
    if (table.find("idle").isPresent()) {
      table.kill("idle");
    }
  }

  @Test
  void aStartedProcessIsFoundByAnotherLauncher() throws Exception {
    table.start(idle("one"));
    ProcessTable later = new ProcessTable(folder.resolve("run"), folder.resolve("logs"));
    assertThat(later.find("idle")).isPresent();
    assertThat(later.isCurrent(idle("one"))).isTrue();
    assertThat(later.isCurrent(idle("two"))).as("another command is another process").isFalse();
  }

  @Test
  void aReusedPidIsNotTheComponent() throws Exception {
    table.start(idle("one"));
    Path file = folder.resolve("run/idle.pid");
    String[] fields = Files.readString(file).trim().split(" ");
    Files.writeString(file, fields[0] + " " + (Long.parseLong(fields[1]) - 1) + " " + fields[2]);
    assertThat(table.find("idle")).as("older start tick").isEmpty();
    Files.writeString(file, fields[0] + " " + fields[1] + " another-boot");
    assertThat(table.find("idle")).as("before a reboot").isEmpty();
    Files.writeString(file, String.join(" ", fields));
    assertThat(table.find("idle")).isPresent();
  }

  @Test
  void killLeavesNothingAndStopIsOrderly() throws Exception {
    table.start(idle("one"));
    table.kill("idle");
    assertThat(table.find("idle")).isEmpty();
    table.start(idle("one"));
    assertThat(table.stop(idle("one"))).as("ended by its signal").isTrue();
    assertThat(table.find("idle")).isEmpty();
  }

  @Test
  void outputGoesToTheLog() throws Exception {
    ProcessSpec loud = spec(List.of("sh", "-c", "echo the last words; exec tail -f /dev/null"));
    table.start(loud);
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!table.tail("idle", 5).contains("the last words") && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(table.tail("idle", 5)).contains("the last words");
  }

  private static ProcessSpec idle(String argument) {
    return spec(List.of("sh", "-c", "exec tail -f /dev/null", argument));
  }

  private static ProcessSpec spec(List<String> command) {
    return new ProcessSpec(
        "idle",
        command,
        Map.of(),
        List.of(),
        List.of(),
        Map.of(),
        () -> {},
        () -> true,
        () -> {},
        Duration.ofSeconds(5),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(5)));
  }
}
