package io.tidemark.platform.testing;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for conditions instead of times. */
public final class InterruptibleDelay {

  private InterruptibleDelay() {}

  /** What is looked for, as soon as it is there and as wanted; fails with what was last seen. */
  public static <T> T until(
      String what, Duration atMost, Supplier<Optional<T>> look, Predicate<T> wanted) {
    long deadline = System.nanoTime() + atMost.toNanos();
    Optional<T> seen = look.get();
    while (seen.filter(wanted).isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("No " + what + " within " + atMost + "; last seen: " + seen);
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(interrupted);
      }
      seen = look.get();
    }
    return seen.get();
  }
}
