package io.tidemark.platform.completeness.kafka;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reports how old the time is up to which rows are complete, as metrics of the platform: once for
 * rows that are committed, and once for those that Druid has read, which answers go by; and the
 * time up to which acknowledged points are read. A time that stands still grows old. Not a number
 * before it is known.
 */
public final class CompletenessAge implements MeterBinder {

  private final Supplier<Optional<Instant>> committed;
  private final Supplier<Optional<Instant>> readable;
  private final Supplier<Optional<Instant>> read;
  private final InstantSource clock;

  /** As a reader of the pipeline's progress knows it. */
  public CompletenessAge(ProgressConsumer progress, InstantSource clock) {
    this(progress::committedUntil, progress::readableUntil, () -> progress.read().until(), clock);
  }

  CompletenessAge(
      Supplier<Optional<Instant>> committed,
      Supplier<Optional<Instant>> readable,
      Supplier<Optional<Instant>> read,
      InstantSource clock) {
    this.committed = committed;
    this.readable = readable;
    this.read = read;
    this.clock = clock;
  }

  @Override
  public void bindTo(MeterRegistry meters) {
    gauge(meters, "committed", committed);
    gauge(meters, "readable", readable);
    gauge(meters, "read", read);
  }

  private void gauge(MeterRegistry meters, String stage, Supplier<Optional<Instant>> until) {
    Gauge.builder("tidemark.completeness.age", () -> seconds(until.get(), clock.instant()))
        .tag("stage", stage)
        .baseUnit("seconds")
        .description("Time since the moment up to which rows are complete, or points read")
        .register(meters);
  }

  /** Seconds; none while the clock of this process is behind that of the job. */
  private static double seconds(Optional<Instant> until, Instant now) {
    return until
        .map(time -> Math.max(0, Duration.between(time, now).toMillis() / 1000.0))
        .orElse(Double.NaN);
  }
}
