package io.tidemark.flink.rollup.bench;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Senders at wall-clock speed: every series once in ten seconds, spread evenly. The figure is the
 * CPU time of one whole minute, after the series became known; rows of the run are checked as all.
 */
final class LiveRun {

  private static final long STEP_MS = 10_000;
  private static final long START_MS = 4_000;
  private static final long SETTLED_MS = 90_000;
  private static final long MEASURED_MS = 60_000;
  private static final long REST_MS = 10_000;

  private final Lab lab;
  private final FlinkProcess process;
  private final int series;

  LiveRun(Lab lab, FlinkProcess process, int series) {
    this.lab = lab;
    this.process = process;
    this.series = series;
  }

  Result measure() throws Exception {
    long points = series * ((SETTLED_MS + MEASURED_MS + REST_MS) / STEP_MS);
    Input input = lab.unsent(series, STEP_MS, points);
    RunOrder order = lab.order(Contestant.ROLLUP, input);
    String job = process.order(order);
    Lab.awaitTenant(process, job);
    long first = (System.currentTimeMillis() + START_MS) / 1000 * 1000;
    Input live = input.from(first);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread senders = new Thread(() -> live.sendLive(order.bootstrapServers()), "senders");
    senders.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
    senders.start();
    await(first + SETTLED_MS);
    long known = process.rest().latestCheckpoint(job);
    double before = process.cpuSeconds();
    await(first + SETTLED_MS + MEASURED_MS);
    double cpu = process.cpuSeconds() - before;
    FlinkRest.Checkpoints checkpoints = process.rest().checkpoints(job, known);
    senders.join();
    if (failure.get() != null) {
      throw new IllegalStateException("The senders failed", failure.get());
    }
    process.awaitEnd();
    Lab.Used used = new Lab.Used(cpu, MEASURED_MS / 1e3);
    lab.checked(order, live, used, checkpoints);
    lab.discard(live);
    // One row per series in a minute.
    return new Result(
        series * (MEASURED_MS / STEP_MS), series, cpu, MEASURED_MS / 1e3, checkpoints);
  }

  private static void await(long time) {
    for (long rest = time - System.currentTimeMillis();
        rest > 0;
        rest = time - System.currentTimeMillis()) {
      LockSupport.parkNanos(rest * 1_000_000L);
    }
  }
}
