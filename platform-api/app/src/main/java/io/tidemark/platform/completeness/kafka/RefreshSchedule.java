package io.tidemark.platform.completeness.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When a store is asked again how far it is: each second while somebody wants to know, every two
 * while nobody does. One thread asks, any thread wants to know.
 */
final class RefreshSchedule {

  static final Duration WANTED = Duration.ofSeconds(1);
  static final Duration UNWANTED = Duration.ofSeconds(2);

  /** A dashboard comes again within this time. */
  static final Duration INTEREST = Duration.ofMinutes(1);

  private final LongSupplier nanoseconds;
  private volatile long wanted;
  private long refreshed;

  /**
   * Due at once, and wanted.
   *
   * @param nanoseconds a clock that only goes on
   */
  RefreshSchedule(LongSupplier nanoseconds) {
    this.nanoseconds = nanoseconds;
    this.wanted = nanoseconds.getAsLong();
    this.refreshed = wanted - WANTED.toNanos();
  }

  /** Somebody was told what is known. */
  void wanted() {
    wanted = nanoseconds.getAsLong();
  }

  /**
   * Whether it is time to ask; the next time counts from now then.
   *
   * @param isKnown whether the store has said how far it is; one that has not is asked each second
   */
  boolean isDue(boolean isKnown) {
    long now = nanoseconds.getAsLong();
    boolean isWanted = now - wanted < INTEREST.toNanos();
    Duration between = isWanted || !isKnown ? WANTED : UNWANTED;
    if (now - refreshed < between.toNanos()) {
      return false;
    }
    refreshed = now;
    return true;
  }
}
