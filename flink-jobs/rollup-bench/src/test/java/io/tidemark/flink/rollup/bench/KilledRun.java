package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.testing.Fleet;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * A run whose Flink process is killed on the way; another goes on from the latest checkpoint. CPU
 * time of both counts, and so does work done twice. Processes of one age differ by more than a
 * tenth, and grow faster for hundreds of million points; so the one that goes on runs as many
 * points in order before and after, and their mean is what the run is compared with.
 */
final class KilledRun {

  /** The kill comes this long after a checkpoint: the mean of what a kill at random loses. */
  private static final long AFTER_CHECKPOINT_NANOS = 2_500_000_000L;

  private static final int CHECKPOINTS = 2;
  private static final int WARM_UPS = Integer.getInteger("bench.warm-ups", 6);
  private static final long POLL_NANOS = 100_000_000L;

  private final Lab lab;
  private final int heapMiB;
  private final int managedMiB;
  private final Input warmUp;

  /** A run that was killed, from whose checkpoint every process goes on once while it warms up. */
  private final RunOrder interrupted;

  private int started;

  /**
   * @param fleet whose points are measured
   */
  KilledRun(Lab lab, Fleet fleet, int heapMiB, int managedMiB) throws Exception {
    this.lab = lab;
    this.heapMiB = heapMiB;
    this.managedMiB = managedMiB;
    this.warmUp =
        lab.past(
            fleet.series(),
            fleet.stepMs(),
            Long.getLong("bench.warm-points", 12_000_000),
            SendOrder.SCATTERED);
    this.interrupted = interrupted();
  }

  /**
   * @param hard late, killed or both
   * @param inOrder points in order, no kill, in the same process, as many before and after
   */
  record Pair(Result hard, Result inOrder) {}

  Pair measure(Input input, Input inOrder) throws Exception {
    FlinkProcess first = warmProcess();
    try (FlinkProcess second = warmProcess()) {
      // Both have then run as much.
      lab.warmUp(first, Contestant.ROLLUP, inOrder);
      return between(inOrder, second, () -> measure(input, first, second));
    }
  }

  /** The same without a kill. */
  Pair undisturbed(Input input, Input inOrder) throws Exception {
    try (FlinkProcess process = warmProcess()) {
      return between(inOrder, process, () -> lab.measure(process, Contestant.ROLLUP, input));
    }
  }

  private Pair between(Input inOrder, FlinkProcess process, Turns.Run run) throws Exception {
    Result before = lab.measure(process, Contestant.ROLLUP, inOrder);
    System.out.println("BENCH in order before: " + before);
    Result hard = run.measure();
    Result after = lab.measure(process, Contestant.ROLLUP, inOrder);
    System.out.println("BENCH in order after: " + after);
    return new Pair(hard, before.and(after));
  }

  private Result measure(Input input, FlinkProcess first, FlinkProcess second) throws Exception {
    RunOrder order = lab.order(Contestant.ROLLUP, input);
    double cpuBefore = first.cpuSeconds();
    long before = System.nanoTime();
    String job = first.order(order);
    awaitCheckpoints(first, job, CHECKPOINTS);
    LockSupport.parkNanos(AFTER_CHECKPOINT_NANOS);
    if (lab.broker().hasRead(order.group(), input.ends())) {
      throw new IllegalStateException("All was read before the kill: give it more points");
    }
    double cpu = first.cpuSeconds() - cpuBefore;
    first.kill();
    System.out.printf(Locale.ROOT, "BENCH killed after %.1f CPU-s%n", cpu);
    cpuBefore = second.cpuSeconds();
    String restored = second.order(order.restored(first.latestCheckpoint(job)));
    second.awaitEnd();
    cpu += second.cpuSeconds() - cpuBefore;
    double wall = (System.nanoTime() - before) / 1e9;
    return lab.checked(
        order, input, new Lab.Used(cpu, wall), second.rest().checkpoints(restored, 0));
  }

  private FlinkProcess warmProcess() throws Exception {
    FlinkProcess process = lab.process("process-" + ++started, heapMiB, managedMiB);
    for (int i = 0; i < WARM_UPS; i++) {
      lab.warmUp(process, Contestant.ROLLUP, warmUp);
    }
    process.order(interrupted);
    process.awaitEnd();
    return process;
  }

  private RunOrder interrupted() throws Exception {
    RunOrder order = lab.order(Contestant.ROLLUP, warmUp);
    FlinkProcess process = lab.process("interrupted", heapMiB, managedMiB);
    String job = process.order(order);
    awaitCheckpoints(process, job, 1);
    process.kill();
    return order.restored(process.latestCheckpoint(job));
  }

  private static void awaitCheckpoints(FlinkProcess process, String job, int number)
      throws Exception {
    while (process.rest().latestCheckpoint(job) < number) {
      process.rest().mustRun(job);
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
