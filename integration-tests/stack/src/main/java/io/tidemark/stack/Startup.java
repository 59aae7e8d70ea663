package io.tidemark.stack;

import io.tidemark.provision.ProvisionFailure;
import io.tidemark.stack.process.ProcessSpec;
import io.tidemark.stack.process.ProcessTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Starts processes as soon as what they depend on serves, and ends each once all that need it have
 * ended.
 */
final class Startup {
  private final ProcessTable processes;
  private final Progress progress;

  Startup(ProcessTable processes, Progress progress) {
    this.processes = processes;
    this.progress = progress;
  }

  /**
   * What is done beside the starts that are still under way.
   *
   * @param processes what serves before
   */
  record Afterwards(Set<String> processes, Callable<Void> work) {}

  int startAll(List<ProcessSpec> specs) throws Exception {
    return startAll(specs, List.of());
  }

  /**
   * Returns when all serve and what comes afterwards is done, with how many had to be started. The
   * first failure is thrown once every other start has ended one way or the other.
   */
  int startAll(List<ProcessSpec> specs, List<Afterwards> afterwards) throws Exception {
    requireOrder(specs);
    ExecutorService threads =
        Executors.newFixedThreadPool(Math.max(1, specs.size() + afterwards.size()));
    Map<String, CompletableFuture<Void>> started = new LinkedHashMap<>();
    AtomicInteger launched = new AtomicInteger();
    try {
      for (ProcessSpec spec : specs) {
        CompletableFuture<?>[] before =
            spec.dependsOn().stream()
                .map(started::get)
                .filter(f -> f != null)
                .toArray(CompletableFuture[]::new);
        started.put(
            spec.id(),
            CompletableFuture.allOf(before).thenRunAsync(() -> startOne(spec, launched), threads));
      }
      List<CompletableFuture<Void>> all = new ArrayList<>(started.values());
      for (Afterwards one : afterwards) {
        CompletableFuture<?>[] before =
            one.processes().stream()
                .map(started::get)
                .filter(Objects::nonNull)
                .toArray(CompletableFuture[]::new);
        all.add(CompletableFuture.allOf(before).thenRunAsync(() -> run(one.work()), threads));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
      return launched.get();
    } catch (ExecutionException e) {
      throw cause(e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Each ends once all that end before it have ended. */
  void stopAll(List<ProcessSpec> specs) throws Exception {
    requireOrder(specs);
    ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, specs.size()));
    Map<String, CompletableFuture<Void>> stopped = new LinkedHashMap<>();
    List<ProcessSpec> backwards = new ArrayList<>(specs);
    Collections.reverse(backwards);
    try {
      for (ProcessSpec spec : backwards) {
        CompletableFuture<?>[] dependents =
            backwards.stream()
                .filter(other -> other.endsBefore(spec.id()))
                .map(other -> stopped.get(other.id()))
                .toArray(CompletableFuture[]::new);
        stopped.put(
            spec.id(),
            CompletableFuture.allOf(dependents).thenRunAsync(() -> stopOne(spec), threads));
      }
      CompletableFuture.allOf(stopped.values().toArray(CompletableFuture[]::new)).get();
    } catch (ExecutionException e) {
      throw cause(e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** A process that came before what it needs would not wait for it, nor end before it. */
  static void requireOrder(List<ProcessSpec> specs) {
    for (int i = 0; i < specs.size(); i++) {
      ProcessSpec spec = specs.get(i);
      for (ProcessSpec later : specs.subList(i + 1, specs.size())) {
        if (spec.endsBefore(later.id())) {
          throw new IllegalArgumentException(
              later.id() + " is listed after " + spec.id() + ", which needs it");
        }
      }
    }
  }

  private static void run(Callable<Void> work) {
    try {
      work.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackFailure("the start was interrupted. `make up` continues from here.", e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private void stopOne(ProcessSpec spec) {
    try {
      if (processes.find(spec.id()).isPresent()) {
        long begin = System.nanoTime();
        boolean orderly = processes.stop(spec);
        told(spec.id(), orderly ? "stopped" : "killed", begin, "");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackFailure("the stop was interrupted. `make down` continues from here.", e);
    } catch (IOException e) {
      throw new StackFailure(spec.id() + " could not be stopped: " + e, e);
    }
  }

  private void startOne(ProcessSpec spec, AtomicInteger launched) {
    long begin = System.nanoTime();
    try {
      boolean running = processes.find(spec.id()).isPresent();
      if (running && processes.isCurrent(spec)) {
        if (ready(spec)) {
          // What is to be there may have changed while it ran: a role's password was drawn anew.
          spec.onReady().run();
          told(spec.id(), "already up", begin, ports(spec));
          return;
        }
      } else {
        if (running) {
          progress.line("  %-28s changed, restarting".formatted(spec.id()));
          processes.stop(spec);
        }
        spec.prepare().run();
        processes.start(spec);
        launched.incrementAndGet();
      }
      awaitReady(spec, begin);
      spec.onReady().run();
      told(spec.id(), "ready", begin, ports(spec));
    } catch (StackFailure | ProvisionFailure e) {
      told(spec.id(), "failed", begin, "");
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackFailure(
          spec.id() + ": the start was interrupted. `make up` continues from here.", e);
    } catch (Exception e) {
      told(spec.id(), "failed", begin, "");
      throw new StackFailure(spec.id() + " could not be started: " + e, e);
    }
  }

  private void awaitReady(ProcessSpec spec, long begin) throws InterruptedException {
    Optional<Exception> last = Optional.empty();
    while (System.nanoTime() - begin < spec.readyWithin().toNanos()) {
      if (processes.find(spec.id()).isEmpty()) {
        throw new StackFailure(
            spec.id()
                + " ended while starting. Its log: "
                + processes.logFile(spec.id())
                + processes.tail(spec.id(), 15));
      }
      try {
        if (spec.readiness().isReady()) {
          return;
        }
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        last = Optional.of(e);
      }
      TimeUnit.MILLISECONDS.sleep(250);
    }
    throw new StackFailure(
        spec.id()
            + " runs but does not serve after "
            + spec.readyWithin().toSeconds()
            + " s"
            + last.map(e -> " (" + e + ")").orElse("")
            + ". Its log: "
            + processes.logFile(spec.id())
            + processes.tail(spec.id(), 15));
  }

  private static boolean ready(ProcessSpec spec) throws InterruptedException {
    try {
      return spec.readiness().isReady();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return false;
    }
  }

  private void told(String id, String what, long begin, String ports) {
    progress.line(
        "  %-28s %-18s %5.1f s  %s"
            .formatted(id, what, (System.nanoTime() - begin) / 1e9, ports)
            .stripTrailing());
  }

  private static String ports(ProcessSpec spec) {
    List<String> sorted =
        spec.ports().values().stream().sorted().map(port -> "127.0.0.1:" + port).toList();
    return String.join(" ", sorted);
  }

  private static Exception cause(ExecutionException e) {
    Throwable deepest = e;
    while ((deepest instanceof ExecutionException || deepest instanceof CompletionException)
        && deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest instanceof Exception known ? known : e;
  }
}
