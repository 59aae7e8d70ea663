package io.tidemark.pipeline;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Waits on a condition by asking again; fails with the last answer. */
final class Await {
  private Await() {}

  /**
   * Asks until the answer satisfies; exceptions count as "not yet", since components may be down on
   * purpose.
   */
  static <T> T until(String what, Duration patience, Callable<T> ask, Predicate<T> satisfied)
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
      Thread.sleep(300);
    }
    throw new AssertionError(
        "Not within " + patience.toSeconds() + " s: " + what + "; last answer: " + last);
  }
}
