package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.testing.Fleet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;

/** Broker, inputs and Flink processes of one benchmark, and how a run is measured in it. */
final class Lab implements AutoCloseable {

  /** Start of the past that fleets send, 2026-03-01. */
  private static final long PAST = 1_772_323_200_000L;

  private static final long POLL_NANOS = 100_000_000L;

  private static final RollupLevel[] LEVELS = RollupLevel.values();

  /** The peers know gauges only. */
  private static final Fleet.Form FORM =
      Fleet.Form.valueOf(System.getProperty("bench.distribution", "GAUGE"));

  private final Path root;
  private final Path folder;
  private final Broker broker;
  private final Map<String, SeriesNumbers> numbers = new HashMap<>();
  private final List<FlinkProcess> processes = new CopyOnWriteArrayList<>();
  private int topics;

  private Lab(Path root, Path folder, Broker broker) {
    this.root = root;
    this.folder = folder;
    this.broker = broker;
  }

  static Lab open(Path root, Path engines, Path folder) throws Exception {
    Lab lab = new Lab(root, folder, Broker.start(root, engines, folder));
    // Also when the benchmark is broken off.
    Runtime.getRuntime().addShutdownHook(new Thread(lab::close, "close"));
    return lab;
  }

  Broker broker() {
    return broker;
  }

  FlinkProcess process(String name, int heapMiB, int managedMiB) throws IOException {
    FlinkProcess process = FlinkProcess.start(root, folder, name, heapMiB, managedMiB);
    processes.add(process);
    return process;
  }

  /** A topic with at least so many points of the past. */
  Input past(int series, long stepMs, long points, SendOrder order) throws Exception {
    Input input = input(new Fleet(series, stepMs, PAST, false, FORM), points);
    input.send(broker.address(), order);
    return input;
  }

  /** The same with points of another form, in order. */
  Input past(Fleet.Form form, int series, long stepMs, long points) throws Exception {
    Input input = input(new Fleet(series, stepMs, PAST, false, form), points);
    input.send(broker.address(), SendOrder.IN_ORDER);
    return input;
  }

  /** An empty topic for so many points of the past. */
  Input unsent(int series, long stepMs, long points) throws Exception {
    return input(new Fleet(series, stepMs, PAST, false), points);
  }

  private Input input(Fleet fleet, long points) throws Exception {
    String topic = "points-" + topics++;
    broker.createTopics(List.of(topic));
    long steps = (points + fleet.series() - 1) / fleet.series();
    return new Input(topic, fleet, steps);
  }

  void discard(Input input) throws Exception {
    broker.deleteTopics(List.of(input.topic()));
  }

  void discard(RunOrder order) throws Exception {
    broker.deleteTopics(order.job().topics(order.outputs()));
  }

  /** A run whose figures do not count; its rows are checked all the same. */
  void warmUp(FlinkProcess process, Contestant job, Input input) throws Exception {
    System.out.println("BENCH warm-up of " + job + ": " + measure(process, job, input));
  }

  /** Runs a job over an input and checks every row it wrote. */
  Result measure(FlinkProcess process, Contestant job, Input input) throws Exception {
    RunOrder order = order(job, input);
    Result result = run(process, order, input, FlinkProcess::cpuSeconds);
    discard(order);
    return result;
  }

  /** What a process has used so far. */
  @FunctionalInterface
  interface CpuClock {
    double seconds(FlinkProcess process) throws IOException;
  }

  /** The same by a clock of one's own; what the job wrote is left to the caller. */
  Result run(FlinkProcess process, RunOrder order, Input input, CpuClock clock) throws Exception {
    double cpuBefore = clock.seconds(process);
    long before = System.nanoTime();
    String id = process.order(order);
    process.awaitEnd();
    double cpu = clock.seconds(process) - cpuBefore;
    double wall = (System.nanoTime() - before) / 1e9;
    return compared(order, input, new Used(cpu, wall), process.rest().checkpoints(id, 0));
  }

  /** The order of a run whose outputs exist. */
  RunOrder order(Contestant job, Input input) throws Exception {
    String outputs = "out-" + topics++;
    broker.createTopics(job.topics(outputs));
    return new RunOrder(
        job, broker.address(), input.topic(), input.ends(), outputs, RunOrder.NOTHING);
  }

  /** Returns when a completed checkpoint of a job has read so far. */
  void awaitRead(FlinkProcess process, String job, String group, Map<TopicPartition, Long> ends)
      throws Exception {
    // The process is asked seldom: its time counts.
    for (int asked = 1; !broker.hasRead(group, ends); asked++) {
      if (asked % 20 == 0) {
        process.rest().mustRun(job);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Returns when a job has heard of the tenant: before, the plan's budgets are in force. */
  static void awaitTenant(FlinkProcess process, String job) throws Exception {
    while (!process.rest().hasFinished(job, Contestant.TENANTS)) {
      process.rest().mustRun(job);
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /**
   * What a run used.
   *
   * @param cpuSeconds user and system time of the Flink processes
   * @param wallSeconds time that passed
   */
  record Used(double cpuSeconds, double wallSeconds) {}

  /**
   * The result of a run that has ended; its outputs are removed.
   *
   * @throws IllegalStateException when a row is wrong, missing or there twice
   */
  Result checked(RunOrder order, Input input, Used used, FlinkRest.Checkpoints checkpoints)
      throws Exception {
    Result result = compared(order, input, used, checkpoints);
    discard(order);
    return result;
  }

  private Result compared(
      RunOrder order, Input input, Used used, FlinkRest.Checkpoints checkpoints) {
    List<String> outputs = order.job().topics(order.outputs());
    long rows = 0;
    SeriesNumbers series =
        numbers.computeIfAbsent(
            input.fleet().series() + " " + input.fleet().form(),
            ignored -> new SeriesNumbers(input.fleet()));
    for (int level = 0; level < order.job().levels(); level++) {
      WrittenRows written = new WrittenRows(input, series, LEVELS[level]);
      written.check(broker.address(), outputs.get(level));
      rows += written.rows();
    }
    return new Result(input.points(), rows, used.cpuSeconds(), used.wallSeconds(), checkpoints);
  }

  @Override
  public void close() {
    processes.forEach(FlinkProcess::close);
    broker.close();
  }

  static Path emptyFolder(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return Files.createDirectories(folder);
  }
}
