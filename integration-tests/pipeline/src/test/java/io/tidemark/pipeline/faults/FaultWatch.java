package io.tidemark.pipeline.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.TidemarkStack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Looks, from a fault on, whether the stack says that something is wrong: a line of {@code make
 * status} that was not there before, or an incident of the stack's own organisation.
 */
final class FaultWatch implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final String INCIDENTS =
      "/api/v1/organizations/org-self/environments/env-self/incidents?state=open&limit=200";

  private final RunningStack.Started stack;

  /** One of its own: a stack is not for several threads at once. */
  private final TidemarkStack watched;

  private final JsonHttp http = new JsonHttp();
  private final String authorization;
  private final Set<String> before;
  private final Map<String, Duration> seen = new TreeMap<>();
  private final Thread thread = new Thread(this::look, "fault-watch");
  private volatile Instant struck = Instant.MAX;
  private volatile boolean isOver;

  /** The first line that says something, and how long after the fault. */
  record Notice(String line, Duration after) {}

  /** Takes what the stack says before the fault. */
  FaultWatch(RunningStack.Started stack) throws InterruptedException {
    this.stack = stack;
    this.authorization =
        StackIdentity.credentials(
                EnvironmentFile.read(stack.settings().home().resolve("secrets.env"))
                    .get("TIDEMARK_BOOTSTRAP_SELF_KEY"))
            .authorization();
    this.watched = new TidemarkStack(stack.settings(), text -> {});
    this.before = lines();
    thread.setDaemon(true);
  }

  /** From now on, what was not said before is about the fault. */
  void begin() {
    struck = Instant.now();
    thread.start();
  }

  /** What was said first, if anything was. */
  Optional<Notice> notice() {
    synchronized (seen) {
      return seen.entrySet().stream()
          .min(Map.Entry.comparingByValue())
          .map(entry -> new Notice(entry.getKey(), entry.getValue()));
    }
  }

  /** Whether all of these were said. */
  boolean hasSeen(Collection<String> lines) {
    synchronized (seen) {
      return seen.keySet().containsAll(lines);
    }
  }

  @Override
  public void close() throws InterruptedException {
    isOver = true;
    thread.interrupt();
    thread.join();
  }

  private void look() {
    while (!isOver) {
      try {
        Set<String> now = lines();
        // A look that was interrupted sees less than there is.
        if (!isOver) {
          note(now);
          TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        }
      } catch (InterruptedException | StackFailure interrupted) {
        // By the end of the watch, which the loop asks for.
      }
    }
  }

  private void note(Set<String> now) {
    now.removeAll(before);
    Duration after = Duration.between(struck, Instant.now());
    synchronized (seen) {
      now.forEach(line -> seen.putIfAbsent(line, after));
    }
  }

  private Set<String> lines() throws InterruptedException {
    Set<String> lines = new TreeSet<>(watched.faults());
    lines.addAll(incidents());
    return lines;
  }

  /** Open ones; none while platform-api does not answer. */
  private List<String> incidents() throws InterruptedException {
    try {
      JsonNode found =
          http.get(stack.coordinates().get("TIDEMARK_URL") + INCIDENTS, authorization)
              .body()
              .path("data");
      return found.findValuesAsText("rule_name").stream()
          .map(rule -> "alert: " + rule)
          .distinct()
          .toList();
    } catch (IOException silent) {
      return List.of();
    }
  }
}
