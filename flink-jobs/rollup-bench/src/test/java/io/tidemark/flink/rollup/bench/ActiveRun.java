package io.tidemark.flink.rollup.bench;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;

/**
 * Catch-up of series that the job knows. Every series is sent some steps first; when a checkpoint
 * has all of them, the measured points become visible, all at once. What is measured ends with the
 * checkpoint that has read them: no window is closed before its time, as they all are at the end of
 * the run.
 */
final class ActiveRun {

  private static final long STEP_MS = 10_000;

  /**
   * A minute and one step: the measured part then closes one minute for every six of its steps, and
   * has as many points in open minutes at its end as at its beginning.
   */
  private static final int STEPS_OF_MINUTE = 6;

  private static final long KNOWN_STEPS = STEPS_OF_MINUTE + 1;

  private final Lab lab;
  private final FlinkProcess process;
  private final int series;
  private final long steps;

  /**
   * @param points measured, a multiple of six steps
   */
  ActiveRun(Lab lab, FlinkProcess process, int series, long points) {
    this.lab = lab;
    this.process = process;
    this.series = series;
    this.steps = points / series;
  }

  /**
   * Both parts of a run.
   *
   * @param registered all series are new
   * @param active none is
   */
  record Parts(Result registered, Result active) {}

  Parts measure() throws Exception {
    Input input = lab.unsent(series, STEP_MS, (KNOWN_STEPS + steps + 1) * series);
    String address = lab.broker().address();
    RunOrder order = lab.order(Contestant.ROLLUP, input).withTransaction();
    String job = process.order(order);
    Lab.awaitTenant(process, job);
    Map<TopicPartition, Long> known = input.ends(KNOWN_STEPS * input.fleet().batchesPerStep());
    double cpu = process.cpuSeconds();
    long began = System.nanoTime();
    long before = process.rest().latestCheckpoint(job);
    input.sendSteps(address, 0, KNOWN_STEPS);
    lab.awaitRead(process, job, order.group(), known);
    Lab.Used registering = used(cpu, began);
    FlinkRest.Checkpoints first = process.rest().checkpoints(job, before);
    Lab.Used measured;
    FlinkRest.Checkpoints checkpoints;
    try (KafkaProducer<byte[], byte[]> unseen =
        input.sendUnseen(address, KNOWN_STEPS, KNOWN_STEPS + steps)) {
      before = process.rest().latestCheckpoint(job);
      cpu = process.cpuSeconds();
      began = System.nanoTime();
      unseen.commitTransaction();
      lab.awaitRead(
          process,
          job,
          order.group(),
          input.ends((KNOWN_STEPS + steps) * input.fleet().batchesPerStep()));
      measured = used(cpu, began);
      checkpoints = process.rest().checkpoints(job, before);
    }
    // The source ends with the step that follows, and all windows with it.
    input.sendSteps(address, KNOWN_STEPS + steps, input.steps());
    process.awaitEnd();
    // Rows of the whole run are checked; the figure has those of the minutes that it closed.
    lab.checked(order, input, measured, checkpoints);
    lab.discard(input);
    return new Parts(
        result(KNOWN_STEPS, 0, registering, first),
        result(steps, steps / STEPS_OF_MINUTE, measured, checkpoints));
  }

  private Result result(long sent, long minutes, Lab.Used used, FlinkRest.Checkpoints checkpoints) {
    return new Result(
        sent * series, minutes * series, used.cpuSeconds(), used.wallSeconds(), checkpoints);
  }

  private Lab.Used used(double cpuBefore, long began) throws Exception {
    return new Lab.Used(process.cpuSeconds() - cpuBefore, (System.nanoTime() - began) / 1e9);
  }
}
