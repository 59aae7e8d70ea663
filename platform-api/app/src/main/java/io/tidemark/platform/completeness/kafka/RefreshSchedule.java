package io.tidemark.platform.completeness.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When a store is asked again how far it is: each second while somebody wants to know, every two
 * while nobody does, and soon after a minute was stated complete that somebody may wait for. One
 * thread asks, any thread wants to know.
 */
final class RefreshSchedule {

  static final Duration WANTED = Duration.ofSeconds(1);
  static final Duration UNWANTED = Duration.ofSeconds(2);
  static final Duration SOON = Duration.ofMillis(200);

  /** A store that takes longer to read a minute is not asked more often for it. */
  static final Duration AWAITED = Duration.ofSeconds(3);

  /** A dashboard comes again within this time. */
  static final Duration INTEREST = Duration.ofMinutes(1);

  private static final long MINUTE_MS = 60_000L;

  private final LongSupplier nanoseconds;
  private volatile long wanted;
  private long refreshed;
  private long statedMinute = Long.MIN_VALUE;
  private long statedAt;
  private boolean isConfirmed = true;

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
   * What is known now.
   *
   * @param stated complete up to here, exclusive, in Unix milliseconds
   * @param confirmed and the store has it up to here
   */
  void progress(long stated, long confirmed) {
    long minute = Math.floorDiv(stated, MINUTE_MS);
    if (minute > statedMinute) {
      statedMinute = minute;
      statedAt = nanoseconds.getAsLong();
    }
    isConfirmed = Math.floorDiv(confirmed, MINUTE_MS) >= statedMinute;
  }

  /** For how long nothing needs to be looked at. */
  Duration pause() {
    return isAwaited(nanoseconds.getAsLong()) ? SOON : WANTED;
  }

  /**
   * Whether it is time to ask; the next time counts from now then.
   *
   * @param isKnown whether the store has said how far it is; one that has not is asked each second
   */
  boolean isDue(boolean isKnown) {
    long now = nanoseconds.getAsLong();
    Duration between = isAwaited(now) ? SOON : isWanted(now) || !isKnown ? WANTED : UNWANTED;
    if (now - refreshed < between.toNanos()) {
      return false;
    }
    refreshed = now;
    return true;
  }

  private boolean isWanted(long now) {
    return now - wanted < INTEREST.toNanos();
  }

  private boolean isAwaited(long now) {
    return !isConfirmed && isWanted(now) && now - statedAt < AWAITED.toNanos();
  }
}
