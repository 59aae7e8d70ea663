package io.tidemark.platform.deletion;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Reports for how long each second region has not said that it is there, as a metric of the
 * platform. A region that is away holds the certificates of deletions back.
 */
final class RegionAbsence {

  private final MultiGauge absence;
  private final Clock clock;
  private volatile Map<String, Instant> seen = Map.of();

  RegionAbsence(Clock clock, MeterRegistry meters) {
    this.clock = clock;
    this.absence =
        MultiGauge.builder("tidemark.region.absence")
            .baseUnit("seconds")
            .description("Time since a second region last said that it is there")
            .register(meters);
  }

  /**
   * Shows these regions and no others.
   *
   * @param seenAt when each region last said that it is there, by name
   */
  void show(Map<String, Instant> seenAt) {
    seen = Map.copyOf(seenAt);
    absence.register(
        seen.keySet().stream()
            .<Row<?>>map(
                region -> Row.of(Tags.of("region", region), this, shown -> shown.seconds(region)))
            .toList());
  }

  /** Clocks of two machines differ: no time is below 0. */
  private double seconds(String region) {
    Instant at = seen.get(region);
    return at == null
        ? Double.NaN
        : Math.max(0, Duration.between(at, clock.instant()).toMillis() / 1000.0);
  }
}
