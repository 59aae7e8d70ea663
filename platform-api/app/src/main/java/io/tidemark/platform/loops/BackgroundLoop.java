package io.tidemark.platform.loops;

import java.time.InstantSource;

/** One loop of this process. Any thread may report. */
public final class BackgroundLoop {

  private final InstantSource clock;
  private volatile long lastSuccessMs;

  BackgroundLoop(InstantSource clock) {
    this.clock = clock;
    // One that never succeeds shows it by the age of its start.
    this.lastSuccessMs = clock.millis();
  }

  /** A round ended without a failure, or a long one has finished a piece of its work. */
  public void succeeded() {
    lastSuccessMs = clock.millis();
  }

  /** Seconds since the Unix epoch. */
  double lastSuccess() {
    return lastSuccessMs / 1000.0;
  }
}
