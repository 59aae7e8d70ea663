package io.tidemark.platform.ingest.prometheus;

/** Times of remote write. */
final class Milliseconds {

  private static final long NANOS = 1_000_000;

  private Milliseconds() {}

  /** As OTLP has it; 0, which no rule takes, for what has no place there. */
  static long toNanos(long milliseconds) {
    return milliseconds < 0 || milliseconds > Long.MAX_VALUE / NANOS ? 0 : milliseconds * NANOS;
  }

  /** A start of counting; 0 is unknown. One before 1970 is as early as can be said. */
  static long startToNanos(long milliseconds) {
    return milliseconds < 0 ? 1 : toNanos(milliseconds);
  }
}
