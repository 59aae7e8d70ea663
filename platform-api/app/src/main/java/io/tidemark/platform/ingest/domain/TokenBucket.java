package io.tidemark.platform.ingest.domain;

/**
 * What is left of one quota. Fills evenly, up to what {@link #SECONDS} give. May be overdrawn by
 * what is taken last, so that a batch is taken whole or not at all whatever its size, and over time
 * no more is taken than comes in.
 */
final class TokenBucket {

  /** How long a tenant that was silent may send at any rate. */
  static final int SECONDS = 10;

  private static final double NANOS_PER_SECOND = 1e9;

  private double left;
  private long filledAt;
  private boolean filledOnce;

  /**
   * What is left now; not above 0 when there is nothing to be had.
   *
   * @param rate what comes in in a second; a change holds from now on
   */
  synchronized double left(long rate, long nanoTime) {
    double full = (double) rate * SECONDS;
    if (!filledOnce) {
      left += full;
      filledOnce = true;
    } else {
      double seconds = Math.max(0, nanoTime - filledAt) / NANOS_PER_SECOND;
      left = Math.min(full, left + seconds * rate);
    }
    filledAt = nanoTime;
    return left;
  }

  synchronized void take(long amount) {
    left -= amount;
  }

  /** Seconds, rounded up and at least 1, until something can be had again. */
  static long secondsUntilPositive(double left, long rate) {
    return left > 0 ? 1 : Math.max(1, (long) Math.floor(-left / rate) + 1);
  }
}
