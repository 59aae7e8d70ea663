package io.tidemark.platform.loops;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.stereotype.Component;

/**
 * Reports when the loops of this process last succeeded, and how often they run: {@code
 * tidemark.loop.last_success.timestamp} and {@code tidemark.loop.period}. An alert rule compares
 * them, so it fits each loop and each setting.
 */
@Component
public class BackgroundLoops {

  private final MeterRegistry meters;
  private final InstantSource clock;

  public BackgroundLoops(MeterRegistry meters, InstantSource clock) {
    this.meters = meters;
    this.clock = clock;
  }

  /**
   * Begins to report a loop.
   *
   * @param name as its thread is called
   * @param period between the end of a round and the next one
   */
  public BackgroundLoop loop(String name, Duration period) {
    BackgroundLoop loop = new BackgroundLoop(clock);
    Gauge.builder("tidemark.loop.last_success.timestamp", loop, BackgroundLoop::lastSuccess)
        .tag("loop", name)
        .baseUnit("seconds")
        .description("When a loop in the background last ended a round without a failure")
        .strongReference(true)
        .register(meters);
    Gauge.builder("tidemark.loop.period", () -> period.toMillis() / 1000.0)
        .tag("loop", name)
        .baseUnit("seconds")
        .description("Time between rounds of a loop in the background")
        .strongReference(true)
        .register(meters);
    return loop;
  }
}
