package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.usage.UsageJob;

/**
 * The rollup job over an input without metering and with it, and the usage job over the increments
 * of that. CPU is without the threads that compile. The figure of the usage job ends when the
 * records of all points are committed; a run whose records do not add up has none.
 */
final class MeteredRun {

  private final Lab lab;
  private final FlinkProcess process;

  MeteredRun(Lab lab, FlinkProcess process) {
    this.lab = lab;
    this.process = process;
  }

  /** What the rollup job used for the same points. */
  record Pair(Result without, Result with) {}

  /**
   * Measures a pair.
   *
   * @param isMeteredFirst whether the run with metering comes first; who measures takes turns
   */
  Pair pair(Input input, boolean isMeteredFirst) throws Exception {
    if (isMeteredFirst) {
      Result with = rollup(Contestant.ROLLUP, input);
      return new Pair(rollup(Contestant.UNMETERED, input), with);
    }
    return new Pair(rollup(Contestant.UNMETERED, input), rollup(Contestant.ROLLUP, input));
  }

  private Result rollup(Contestant job, Input input) throws Exception {
    RunOrder order = lab.order(job, input);
    Result result = lab.run(process, order, input, FlinkProcess::cpuSecondsWithoutCompilers);
    lab.discard(order);
    return result;
  }

  /** Measures the usage job over what a run of the rollup job counted, which is not measured. */
  Result usage(Input input) throws Exception {
    RunOrder order = lab.order(Contestant.ROLLUP, input);
    long rows = lab.run(process, order, input, FlinkProcess::cpuSeconds).rows();
    RunOrder metered = order.by(Contestant.USAGE);
    lab.broker().createTopics(metered.job().topics(metered.outputs()));
    Result usage = meter(metered, input, rows);
    lab.broker().forget(UsageJob.CONSUMER_GROUP);
    lab.discard(metered);
    lab.discard(order);
    return usage;
  }

  private Result meter(RunOrder order, Input input, long rows) throws Exception {
    String topic = order.job().topics(order.outputs()).get(0);
    double before = process.cpuSecondsWithoutCompilers();
    long began = System.nanoTime();
    String job = process.order(order);
    try (WrittenUsage written = new WrittenUsage(order.bootstrapServers(), topic)) {
      written.await(process, job, input.points(), WrittenUsage.POINTS);
      double cpu = process.cpuSecondsWithoutCompilers() - before;
      double wall = (System.nanoTime() - began) / 1e9;
      // Rows are of the hour that goes on, whose second record waits for most of a minute.
      written.await(process, job, rows, WrittenUsage.ROWS);
      written.await(process, job, input.fleet().series(), WrittenUsage.SERIES);
      written.check(input.points(), WrittenUsage.POINTS);
      FlinkRest.Checkpoints checkpoints = process.rest().checkpoints(job, 0);
      process.rest().cancel(job);
      process.awaitEnd();
      return new Result(input.points(), rows, cpu, wall, checkpoints);
    }
  }
}
