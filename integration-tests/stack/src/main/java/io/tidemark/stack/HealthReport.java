package io.tidemark.stack;

import io.tidemark.provision.Datasource;
import io.tidemark.stack.TidemarkStack.ComponentStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Says in words what of a stack is not as it should be, from what its parts say and from what comes
 * out at its end: a process that runs and answers may be cut off from another.
 */
final class HealthReport {
  /** Checkpoints come every five seconds. */
  static final Duration LONGEST_WITHOUT_CHECKPOINT = Duration.ofSeconds(60);

  /** The look at a component takes milliseconds. */
  static final Duration SLOW_COMPONENT = Duration.ofSeconds(2);

  static final Duration SLOW_ANSWER = Duration.ofSeconds(2);

  /** A minute is complete up to half a minute after its end. */
  static final Duration LONGEST_INCOMPLETE = Duration.ofSeconds(110);

  /**
   * What was seen at one moment.
   *
   * @param declaredJobs names of the jobs there should be
   * @param jobs name and state of those there are
   * @param checkpoints how long ago each running job's last checkpoint was completed
   */
  record Seen(
      List<ComponentStatus> components,
      Collection<String> declaredJobs,
      Map<String, String> jobs,
      Map<String, Duration> checkpoints,
      List<Datasource> datasources,
      OwnAnswer answer) {}

  private HealthReport() {}

  /** A line for each fault, without figures: it stays the same while the fault does. */
  static List<String> faults(Seen seen) {
    List<String> lines = new ArrayList<>();
    for (ComponentStatus one : seen.components()) {
      if (!one.state().equals("up")) {
        lines.add(one.id() + " is " + one.state());
      } else if (one.took().compareTo(SLOW_COMPONENT) > 0) {
        lines.add(one.id() + " answers slowly");
      }
    }
    for (String job : seen.declaredJobs()) {
      String state = seen.jobs().getOrDefault(job, "not there");
      if (!state.equals("RUNNING")) {
        lines.add("job " + job + " is " + state.toLowerCase(Locale.ROOT));
      }
    }
    seen.checkpoints()
        .forEach(
            (job, ago) -> {
              if (ago.compareTo(LONGEST_WITHOUT_CHECKPOINT) > 0) {
                lines.add(
                    "job %s completes no checkpoint for over %d s"
                        .formatted(job, LONGEST_WITHOUT_CHECKPOINT.toSeconds()));
              }
            });
    for (Datasource one : seen.datasources()) {
      if (!one.isHealthy()) {
        lines.add("druid " + one.name() + " is not healthy");
      }
    }
    if (seen.answer().isWithout()) {
      lines.add("the Metrics API does not answer a query");
    } else {
      if (seen.answer().took().compareTo(SLOW_ANSWER) > 0) {
        lines.add("the Metrics API answers a query slowly");
      }
      if (seen.answer()
          .behind()
          .filter(behind -> behind.compareTo(LONGEST_INCOMPLETE) <= 0)
          .isEmpty()) {
        lines.add(
            "answers are not complete up to %d s ago".formatted(LONGEST_INCOMPLETE.toSeconds()));
      }
    }
    return lines;
  }
}
