package io.tidemark.platform.testing;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One thing that some threads do again and again, whatever is answered, with a pause after each.
 */
public final class RepeatedAttack implements Attack {

  private final int threads;
  private final Duration pause;
  private final Step step;
  private final AtomicInteger steps = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private ScheduledExecutorService running;

  /** What is done; a failure counts as an answer. */
  @FunctionalInterface
  public interface Step {
    void take(int number) throws Exception;
  }

  public RepeatedAttack(int threads, Duration pause, Step step) {
    this.threads = threads;
    this.pause = pause;
    this.step = step;
  }

  @Override
  public void start() {
    running = Executors.newScheduledThreadPool(threads);
    for (int i = 0; i < threads; i++) {
      var unused =
          running.scheduleWithFixedDelay(this::once, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void once() {
    try {
      step.take(steps.get());
    } catch (Exception | AssertionError refused) {
      if (!running.isShutdown()) {
        failures.incrementAndGet();
      }
    } finally {
      steps.incrementAndGet();
    }
  }

  /** How often it was done so far. */
  public int steps() {
    return steps.get();
  }

  /** How many of them threw, without the one that its end interrupted. */
  public int failures() {
    return failures.get();
  }

  @Override
  public void close() {
    running.shutdownNow();
    try {
      if (!running.awaitTermination(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("The attack does not end");
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
