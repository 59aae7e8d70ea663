package io.tidemark.platform.metricstore;

import io.tidemark.platform.metricstore.LoadRules.LoadPeriod;
import io.tidemark.platform.metricstore.StoreTierRanges.Age;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Which store has rows of which age, from Druid's rules and from how far the lake has read. */
public final class StoreTierResolver implements StoreTiers {

  /** While its rules are not known, Druid is trusted with the least that is supported. */
  private static final Duration SURELY_KEPT = Duration.ofDays(3);

  private final LoadRules druid;
  private final Function<TenantId, Optional<Instant>> lakeCompleteUntil;
  private final Clock clock;

  /**
   * Of Druid and a lake.
   *
   * @param lakeCompleteUntil what ends before was given to the lake; empty while that is not known
   */
  public StoreTierResolver(
      LoadRules druid, Function<TenantId, Optional<Instant>> lakeCompleteUntil, Clock clock) {
    this.druid = druid;
    this.lakeCompleteUntil = lakeCompleteUntil;
    this.clock = clock;
  }

  @Override
  public StoreTierRanges of(TenantId organization) {
    Map<Source, Age> ages = new EnumMap<>(Source.class);
    for (Source source : Source.values()) {
      Optional<Duration> kept =
          druid.of(organization, source).map(LoadPeriod::period).orElse(Optional.of(SURELY_KEPT));
      kept.ifPresent(period -> ages.put(source, age(organization, period)));
    }
    return new StoreTierRanges(ages);
  }

  private Age age(TenantId organization, Duration kept) {
    return Age.of(
        clock.millis(),
        kept.toMillis(),
        lakeCompleteUntil.apply(organization).map(Instant::toEpochMilli).orElse(0L));
  }
}
