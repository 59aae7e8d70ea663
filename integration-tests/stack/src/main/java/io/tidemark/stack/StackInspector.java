package io.tidemark.stack;

import io.tidemark.provision.Addresses;
import io.tidemark.provision.Datasource;
import io.tidemark.provision.FlinkJobs;
import io.tidemark.provision.Provisioning;
import io.tidemark.stack.TidemarkStack.ComponentStatus;
import io.tidemark.stack.process.ProcessSpec;
import io.tidemark.stack.process.ProcessTable;
import io.tidemark.stack.process.RunningProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Looks at the parts of a stack and changes none; what hangs is not waited for. */
final class StackInspector {
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

  private final ProcessTable processes;
  private final Supplier<List<ProcessSpec>> specs;
  private final Function<Link, Addresses> addresses;
  private final Coordinates coordinates;

  /**
   * @param specs the components as they are declared now
   * @param addresses of the engines, by the link to the broker
   */
  StackInspector(
      ProcessTable processes,
      Supplier<List<ProcessSpec>> specs,
      Function<Link, Addresses> addresses,
      Coordinates coordinates) {
    this.processes = processes;
    this.specs = specs;
    this.addresses = addresses;
    this.coordinates = coordinates;
  }

  /**
   * One line per component. All are asked at once, and none is waited for longer than {@link
   * #LONGEST_LOOK}: one that hangs does not hide the others.
   */
  List<ComponentStatus> status() {
    return looked(specs.get());
  }

  /** The line of one component. */
  ComponentStatus status(ProcessSpec spec) {
    return looked(List.of(spec)).get(0);
  }

  private List<ComponentStatus> looked(List<ProcessSpec> specs) {
    ExecutorService threads = lookers(specs.size());
    try {
      List<Callable<ComponentStatus>> questions = new ArrayList<>();
      specs.forEach(
          spec ->
              questions.add(
                  () -> {
                    long begin = System.nanoTime();
                    boolean isReady = answers(spec);
                    return statusOf(spec, isReady, Duration.ofNanos(System.nanoTime() - begin));
                  }));
      List<Future<ComponentStatus>> looks =
          threads.invokeAll(questions, LONGEST_LOOK.toMillis(), TimeUnit.MILLISECONDS);
      List<ComponentStatus> all = new ArrayList<>();
      for (int i = 0; i < specs.size(); i++) {
        all.add(
            looks.get(i).isCancelled()
                ? statusOf(specs.get(i), false, LONGEST_LOOK)
                : looks.get(i).get());
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackFailure("the look at the stack was interrupted", e);
    } catch (ExecutionException e) {
      throw new StackFailure("the stack cannot be looked at: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static ExecutorService lookers(int count) {
    return Executors.newFixedThreadPool(
        count,
        work -> {
          Thread thread = new Thread(work, "look");
          // A driver that waits for a hanging server may not hear its interruption.
          thread.setDaemon(true);
          return thread;
        });
  }

  private boolean answers(ProcessSpec spec) {
    return processes.find(spec.id()).filter(process -> !process.isSuspended()).isPresent()
        && isReady(spec);
  }

  private ComponentStatus statusOf(ProcessSpec spec, boolean isReady, Duration took) {
    Optional<RunningProcess> running = processes.find(spec.id());
    String state =
        running
            .map(process -> process.isSuspended() ? "suspended" : isReady ? "up" : "not ready")
            .orElse("down");
    return new ComponentStatus(
        spec.id(),
        state,
        spec.ports().getOrDefault(spec.id(), Collections.min(spec.ports().values())),
        running.map(RunningProcess::residentBytes).orElse(0L),
        running.flatMap(RunningProcess::since),
        took);
  }

  /** Name and state of each Flink job; empty when the JobManager does not answer. */
  Map<String, String> jobs() {
    try {
      return new FlinkJobs(addresses.apply(Link.FLINK_KAFKA)).states();
    } catch (IOException e) {
      return Map.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    }
  }

  /**
   * What is not as it should be, a line for each, as {@code make status} ends with. Empty when all
   * is well.
   */
  List<String> faults() throws InterruptedException {
    List<ComponentStatus> components = status();
    // Who does not serve is not asked for what is behind it: its own line says enough.
    boolean hasJobs = HealthReport.serves(components, "flink-jobmanager");
    boolean hasDatasources = HealthReport.serves(components, "druid-coordinator");
    boolean hasBroker = HealthReport.serves(components, "kafka");
    boolean hasAnswers = HealthReport.serves(components, "platform-api");
    FlinkJobs flink = new FlinkJobs(addresses.apply(Link.FLINK_KAFKA));
    ExecutorService threads = lookers(5);
    try {
      Future<HealthReport.Jobs> jobs =
          threads.submit(
              () ->
                  hasJobs
                      ? new HealthReport.Jobs(flink.states(), flink.lastCheckpoints(Instant.now()))
                      : HealthReport.Jobs.NONE);
      Future<List<Datasource>> datasources =
          threads.submit(
              () ->
                  hasDatasources
                      ? Provisioning.datasources(addresses.apply(Link.DRUID_KAFKA))
                      : List.<Datasource>of());
      Future<List<String>> transactions =
          threads.submit(
              () ->
                  hasBroker
                      ? Provisioning.openTransactions(
                          addresses.apply(Link.FLINK_KAFKA), HealthReport.LONGEST_TRANSACTION)
                      : List.<String>of());
      Future<OwnAnswer> answer =
          threads.submit(() -> hasAnswers ? OwnAnswer.ask(coordinates) : OwnAnswer.UNASKED);
      Future<Boolean> older =
          threads.submit(() -> !hasAnswers || OwnAnswer.reachesDruid(coordinates));
      long deadline = System.nanoTime() + LONGEST_LOOK.toNanos();
      return HealthReport.faults(
          new HealthReport.StackSnapshot(
              components,
              hasJobs ? FlinkJobs.declared(addresses.apply(Link.FLINK_KAFKA)) : List.of(),
              within(jobs, deadline),
              within(datasources, deadline),
              within(transactions, deadline),
              within(answer, deadline),
              within(older, deadline)));
    } finally {
      threads.shutdownNow();
    }
  }

  /** Empty when it fails, or is not there by the deadline. */
  private static <T> Optional<T> within(Future<T> look, long deadline) throws InterruptedException {
    try {
      return Optional.of(look.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
    } catch (ExecutionException | TimeoutException silent) {
      return Optional.empty();
    }
  }

  /**
   * Transactions that could not be committed, by Flink job; only jobs with some. Empty when the
   * JobManager does not answer.
   */
  Map<String, Long> failedCommits() {
    try {
      return new FlinkJobs(addresses.apply(Link.FLINK_KAFKA)).failedCommits();
    } catch (IOException e) {
      return Map.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    }
  }

  /** What Druid takes and serves; empty when it does not answer. */
  List<Datasource> datasources() {
    try {
      return Provisioning.datasources(addresses.apply(Link.DRUID_KAFKA));
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** Where Druid differs from {@code infra/druid}; empty when it does not answer, too. */
  List<String> druidDrift() {
    try {
      return Provisioning.druidDrift(addresses.apply(Link.DRUID_KAFKA));
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static boolean isReady(ProcessSpec spec) {
    try {
      return spec.readiness().isReady();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (Exception e) {
      return false;
    }
  }
}
