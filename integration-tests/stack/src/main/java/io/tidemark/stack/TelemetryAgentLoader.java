package io.tidemark.stack;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.stack.engine.TelemetryAgent;
import io.tidemark.stack.process.ProcessTable;
import io.tidemark.stack.process.RunningProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Has engines that serve already report their own metrics. */
final class TelemetryAgentLoader {
  private static final double HALF = 0.5;

  private final StackSettings settings;
  private final ProcessTable processes;
  private final Progress progress;

  TelemetryAgentLoader(StackSettings settings, ProcessTable processes, Progress progress) {
    this.settings = settings;
    this.processes = processes;
    this.progress = progress;
  }

  /**
   * Loads the agent into those of the components that could report and do not, once half of the
   * machine is idle.
   *
   * @param patience how long that is waited for
   */
  void load(List<String> components, Duration patience) throws InterruptedException {
    List<String> silent = components.stream().filter(this::isSilent).toList();
    if (!silent.isEmpty()) {
      awaitIdle(patience);
    }
    silent.forEach(this::load);
  }

  private static void awaitIdle(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    OperatingSystemMXBean machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    // Each answer is of the time since the last.
    machine.getCpuLoad();
    while (System.nanoTime() < deadline) {
      TimeUnit.SECONDS.sleep(1);
      if (machine.getCpuLoad() < HALF) {
        return;
      }
    }
  }

  /** Whether it runs, could report metrics of its own, and does not. */
  private boolean isSilent(String component) {
    Optional<RunningProcess> running = processes.find(component);
    if (running.isEmpty() || !TelemetryAgent.isFor(component)) {
      return false;
    }
    try {
      return !new TelemetryAgent(settings).isLoaded(running.get().pid());
    } catch (IOException unknown) {
      return true;
    }
  }

  /** Without its metrics a component works as well. */
  private void load(String component) {
    try {
      Optional<RunningProcess> running = processes.find(component);
      if (running.isPresent()) {
        new TelemetryAgent(settings).load(running.get().pid());
      }
    } catch (IOException e) {
      progress.line(
          "  %s reports no metrics of its own (%s); `make up` tries again."
              .formatted(component, e.getMessage()));
    }
  }
}
