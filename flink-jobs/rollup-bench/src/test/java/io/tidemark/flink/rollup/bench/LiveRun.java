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
  private static final long SETTLED_MS = 30_000;
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
    long first = (System.currentTimeMillis() + START_MS) / 1000 * 1000;
    Input input = lab.live(series, STEP_MS, points, first);
    RunOrder order = lab.order(Contestant.ROLLUP, input, RunOrder.NOTHING);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread senders = new Thread(() -> input.sendLive(order.bootstrapServers()), "senders");
    senders.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
    senders.start();
    String job = process.order(order);
    await(first + SETTLED_MS);
    double before = process.cpuSeconds();
    await(first + SETTLED_MS + MEASURED_MS);
    double cpu = process.cpuSeconds() - before;
    senders.join();
    process.awaitEnd();
    if (failure.get() != null) {
      throw new IllegalStateException("The senders failed", failure.get());
    }
    Result whole = lab.checked(order, input, cpu, 0, process.rest().checkpoints(job));
    long measured = series * (MEASURED_MS / STEP_MS);
    // One row per series in a minute.
    return new Result(measured, series, cpu, MEASURED_MS / 1e3, whole.checkpoints());
  }

  private static void await(long time) {
    for (long rest = time - System.currentTimeMillis();
        rest > 0;
        rest = time - System.currentTimeMillis()) {
      LockSupport.parkNanos(rest * 1_000_000L);
    }
  }
}
