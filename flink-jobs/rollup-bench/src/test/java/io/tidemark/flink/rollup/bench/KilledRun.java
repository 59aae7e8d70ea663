package io.tidemark.flink.rollup.bench;

import java.util.concurrent.locks.LockSupport;

/**
 * A run whose Flink process is killed on the way; another, as warm as all measured processes are,
 * goes on from the latest checkpoint. CPU time of both counts, and so does work done twice.
 */
final class KilledRun {

  /** The kill comes this long after a checkpoint: the mean of what a kill at random loses. */
  private static final long AFTER_CHECKPOINT_NANOS = 2_500_000_000L;

  private static final int CHECKPOINTS = 2;
  private static final long POLL_NANOS = 100_000_000L;

  private final Lab lab;
  private final Input input;
  private final int heapMiB;
  private final int managedMiB;
  private final Input warmUp;
  private FlinkProcess next;
  private int started;

  KilledRun(Lab lab, Input input, int heapMiB, int managedMiB) throws Exception {
    this.lab = lab;
    this.input = input;
    this.heapMiB = heapMiB;
    this.managedMiB = managedMiB;
    this.warmUp = lab.past(input.fleet().series(), input.fleet().stepMs(), 12_000_000, true);
    this.next = warmProcess();
  }

  Result measure() throws Exception {
    FlinkProcess first = next;
    FlinkProcess second = warmProcess();
    RunOrder order = lab.order(Contestant.ROLLUP, input, RunOrder.NOTHING);
    double firstBefore = first.cpuSeconds();
    double secondBefore = second.cpuSeconds();
    long before = System.nanoTime();
    String job = first.order(order);
    while (first.rest().completedCheckpoints(job) < CHECKPOINTS) {
      if (first.rest().isFinished(job)) {
        throw new IllegalStateException("The run ended before the kill: give it more points");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    LockSupport.parkNanos(AFTER_CHECKPOINT_NANOS);
    double cpu = first.cpuSeconds() - firstBefore;
    first.kill();
    RunOrder rest =
        new RunOrder(
            order.job(),
            order.bootstrapServers(),
            order.topic(),
            order.ends(),
            order.outputs(),
            first.latestCheckpoint(job),
            0,
            0);
    String restored = second.order(rest);
    second.awaitEnd();
    cpu += second.cpuSeconds() - secondBefore;
    double wall = (System.nanoTime() - before) / 1e9;
    next = second;
    return lab.checked(order, input, cpu, wall, second.rest().checkpoints(restored));
  }

  private FlinkProcess warmProcess() throws Exception {
    FlinkProcess process = lab.process("killed-" + ++started, heapMiB, managedMiB);
    lab.warmUp(process, Contestant.ROLLUP, warmUp);
    return process;
  }
}
