package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.usage.UsageJob;

/**
 * The rollup job over an input without metering and with it, and then, in the same process, the
 * usage job over the increments of the second. The figure of the usage job ends when the records of
 * all points are committed; a run whose records do not add up has none.
 */
final class MeteredRun {

  private final Lab lab;
  private final FlinkProcess process;

  MeteredRun(Lab lab, FlinkProcess process) {
    this.lab = lab;
    this.process = process;
  }

  /** What the jobs used for the same points. */
  record Pair(Result without, Metered with) {}

  /** The rollup job with metering, and the usage job after it. */
  record Metered(Result rollup, Result usage) {}

  /**
   * Measures a pair.
   *
   * @param isMeteredFirst whether the run with metering comes first; who measures takes turns
   */
  Pair measure(Input input, boolean isMeteredFirst) throws Exception {
    if (isMeteredFirst) {
      Metered with = metered(input);
      return new Pair(lab.measure(process, Contestant.UNMETERED, input), with);
    }
    return new Pair(lab.measure(process, Contestant.UNMETERED, input), metered(input));
  }

  private Metered metered(Input input) throws Exception {
    RunOrder order = lab.order(Contestant.ROLLUP, input);
    Result with = lab.run(process, order, input);
    RunOrder metered = order.by(Contestant.USAGE);
    lab.broker().createTopics(metered.job().topics(metered.outputs()));
    Result usage = meter(metered, input, with.rows());
    lab.broker().forget(UsageJob.CONSUMER_GROUP);
    lab.discard(metered);
    lab.discard(order);
    return new Metered(with, usage);
  }

  private Result meter(RunOrder order, Input input, long rows) throws Exception {
    String topic = order.job().topics(order.outputs()).get(0);
    double before = process.cpuSeconds();
    long began = System.nanoTime();
    String job = process.order(order);
    try (WrittenUsage written = new WrittenUsage(order.bootstrapServers(), topic)) {
      written.await(process, job, input.points(), WrittenUsage.POINTS);
      double cpu = process.cpuSeconds() - before;
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
