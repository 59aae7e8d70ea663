package io.tidemark.stack;

import io.tidemark.provision.Datasource;
import io.tidemark.stack.TidemarkStack.ComponentStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Says in words what of a stack is not as it should be, from what its parts say and from what comes
 * out at its end: a process that runs and answers may be cut off from another.
 */
final class HealthReport {
  /** Checkpoints come every five seconds. */
  static final Duration LONGEST_WITHOUT_CHECKPOINT = Duration.ofSeconds(60);

  /** Each is committed once a checkpoint is completed. */
  static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(2);

  /** The look at a component takes milliseconds. */
  static final Duration SLOW_COMPONENT = Duration.ofSeconds(2);

  static final Duration SLOW_ANSWER = Duration.ofSeconds(2);

  /** A minute is complete up to half a minute after its end. */
  static final Duration LONGEST_INCOMPLETE = Duration.ofSeconds(110);

  /** Open minutes are answered too: the newest began a minute ago, reported every ten seconds. */
  static final Duration LONGEST_SILENT = Duration.ofSeconds(110);

  /** Clocks differ by less. */
  static final Duration AHEAD = Duration.ofSeconds(60);

  /**
   * What Flink says of its jobs.
   *
   * @param states by name
   * @param checkpoints how long ago each running job's last checkpoint was completed
   */
  record Jobs(Map<String, String> states, Map<String, Duration> checkpoints) {
    static final Jobs NONE = new Jobs(Map.of(), Map.of());
  }

  /**
   * What was seen at one moment. Empty is what was asked for and did not come in time.
   *
   * @param declaredJobs names of the jobs there should be
   * @param transactions ids of those that have been open for longer than {@link
   *     #LONGEST_TRANSACTION}
   * @param reachesDruid whether a query is answered that memory alone cannot answer
   */
  record StackSnapshot(
      List<ComponentStatus> components,
      Collection<String> declaredJobs,
      Optional<Jobs> jobs,
      Optional<List<Datasource>> datasources,
      Optional<List<String>> transactions,
      Optional<OwnAnswer> answer,
      Optional<Boolean> reachesDruid) {}

  private HealthReport() {}

  /** Whether a component, or one of several processes of it, serves. */
  static boolean serves(List<ComponentStatus> components, String id) {
    return components.stream().anyMatch(one -> one.id().startsWith(id) && one.state().equals("up"));
  }

  /** A line for each fault, without figures: it stays the same while the fault does. */
  static List<String> faults(StackSnapshot seen) {
    List<String> lines = new ArrayList<>();
    for (ComponentStatus one : seen.components()) {
      if (!one.state().equals("up")) {
        lines.add(one.id() + " is " + one.state());
      } else if (one.took().compareTo(SLOW_COMPONENT) > 0) {
        lines.add(one.id() + " answers slowly");
      }
    }
    seen.jobs()
        .ifPresentOrElse(
            jobs -> lines.addAll(ofJobs(seen.declaredJobs(), jobs)),
            () -> lines.add("flink-jobmanager does not say how its jobs are"));
    seen.datasources()
        .ifPresentOrElse(
            datasources ->
                datasources.stream()
                    .filter(one -> !one.isHealthy())
                    .forEach(one -> lines.add("druid " + one.name() + " is not healthy")),
            () -> lines.add("druid-coordinator does not say how its supervisors are"));
    // A broker that does not say has a line of its own.
    seen.transactions()
        .ifPresent(
            ids ->
                ids.forEach(
                    id ->
                        lines.add(
                            "transaction %s has been open for over %d s"
                                .formatted(id, LONGEST_TRANSACTION.toSeconds()))));
    lines.addAll(ofAnswer(seen.answer()));
    if (!seen.reachesDruid().orElse(false)) {
      lines.add("the Metrics API does not answer a query for minutes of hours ago");
    }
    return lines;
  }

  private static List<String> ofJobs(Collection<String> declared, Jobs jobs) {
    List<String> lines = new ArrayList<>();
    for (String job : declared) {
      String state = jobs.states().getOrDefault(job, "not there");
      if (!state.equals("RUNNING")) {
        lines.add("job " + job + " is " + state.toLowerCase(Locale.ROOT));
      }
    }
    jobs.checkpoints()
        .forEach(
            (job, ago) -> {
              if (ago.compareTo(LONGEST_WITHOUT_CHECKPOINT) > 0) {
                lines.add(
                    "job %s completes no checkpoint for over %d s"
                        .formatted(job, LONGEST_WITHOUT_CHECKPOINT.toSeconds()));
              }
            });
    return lines;
  }

  private static List<String> ofAnswer(Optional<OwnAnswer> answer) {
    if (answer.filter(one -> !one.isWithout()).isEmpty()) {
      return List.of("the Metrics API does not answer a query");
    }
    List<String> lines = new ArrayList<>();
    if (answer.get().took().compareTo(SLOW_ANSWER) > 0) {
      lines.add("the Metrics API answers a query slowly");
    }
    if (answer.get().behind().filter(one -> one.compareTo(LONGEST_INCOMPLETE) <= 0).isEmpty()) {
      lines.add(
          "answers are not complete up to %d s ago".formatted(LONGEST_INCOMPLETE.toSeconds()));
    }
    answer
        .get()
        .newest()
        .forEach(
            (component, ago) -> {
              if (ago.compareTo(LONGEST_SILENT) > 0) {
                lines.add(
                    "metrics of %s end over %d s ago"
                        .formatted(component, LONGEST_SILENT.toSeconds()));
              }
              if (ago.compareTo(AHEAD.negated()) < 0) {
                lines.add("metrics of " + component + " come from the future: its clock is ahead");
              }
            });
    return lines;
  }
}
