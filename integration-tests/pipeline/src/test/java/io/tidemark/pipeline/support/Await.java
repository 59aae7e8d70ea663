package io.tidemark.pipeline.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Waits on a condition by asking again; fails with the last answer. */
public final class Await {
  private static final Duration PAUSE = Duration.ofMillis(300);

  /**
   * For questions that start a process of seconds, and are answered by what happens every half
   * minute: asked without a pause they would take a core from what they wait for.
   */
  public static final Duration LONG_PAUSE = Duration.ofSeconds(4);

  private Await() {}

  /**
   * Asks until the answer satisfies; exceptions count as "not yet", since components may be down on
   * purpose.
   */
  public static <T> T until(String what, Duration patience, Callable<T> ask, Predicate<T> satisfied)
      throws InterruptedException {
    return until(what, patience, PAUSE, ask, satisfied);
  }

  /**
   * The same.
   *
   * @param pause between an answer and the next question
   */
  public static <T> T until(
      String what, Duration patience, Duration pause, Callable<T> ask, Predicate<T> satisfied)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    Object last = "nothing";
    while (System.nanoTime() < deadline) {
      try {
        T answer = ask.call();
        if (satisfied.test(answer)) {
          return answer;
        }
        last = answer;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        last = e;
      }
      Thread.sleep(pause.toMillis());
    }
    throw new AssertionError(
        "Not within " + patience.toSeconds() + " s: " + what + "; last answer: " + last);
  }
}
