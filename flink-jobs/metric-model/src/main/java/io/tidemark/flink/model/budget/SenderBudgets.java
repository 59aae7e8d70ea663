package io.tidemark.flink.model.budget;

import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many series of each environment one reader of the points topic passes to the panes.
 * The panes decide by their state which series are kept apart; this bounds how many names reach
 * them at all. A memory only: a reader that starts again admits anew, up to the same limits.
 */
public final class SenderBudgets {

  private static final class Environment {
    final AnnouncedSeries own;
    final AnnouncedSeries references;
    final Map<Overflow, AnnouncedSeries> overflow = new HashMap<>();

    Environment(long now) {
      own = new AnnouncedSeries(now);
      references = new AnnouncedSeries(now);
      for (Overflow depth : Overflow.values()) {
        overflow.put(depth, new AnnouncedSeries(now));
      }
    }
  }

  private final OrganizationLimits organizationLimits;
  private final Map<String, Map<String, Environment>> organizations = new HashMap<>();

  public SenderBudgets(OrganizationLimits organizationLimits) {
    this.organizationLimits = organizationLimits;
  }

  /** Null when the series goes under its own name, else why it does not. */
  public @Nullable Excess excess(
      SeriesKey key, SeriesDescriptor series, TenantLimits limits, long now) {
    if (Overflow.isOverflow(series)) {
      return null;
    }
    Excess excess = Excess.ofLabels(series, limits);
    if (excess != null) {
      return excess;
    }
    AnnouncedSeries own = environment(series, now).own;
    long others = others(series, environment -> environment.own);
    long left = organizationLimits.activeSeries() - others;
    if (own.admits(key.low(), Math.min(limits.activeSeries(), left), now)) {
      return null;
    }
    return limits.activeSeries() <= left
        ? new Excess(Budget.ACTIVE_SERIES, limits.activeSeries(), own.size() + 1L)
        : new Excess(
            Budget.ACTIVE_SERIES_PER_ORGANIZATION,
            organizationLimits.activeSeries(),
            others + own.size() + 1L);
  }

  /** A series that goes under its own name is still in use. */
  public void keep(SeriesKey key, SeriesDescriptor series, TenantLimits limits, long now) {
    environment(series, now).own.admits(key.low(), limits.activeSeries(), now);
  }

  /** Where the values of a series go that may not go under its own name. */
  public SeriesDescriptor overflowOf(SeriesDescriptor series, TenantLimits limits, long now) {
    Map<Overflow, AnnouncedSeries> announced = environment(series, now).overflow;
    for (Overflow depth = Overflow.of(series, limits); ; depth = depth.deeper()) {
      SeriesDescriptor overflow = depth.of(series);
      long key = SeriesKey.of(overflow).low();
      if (Objects.requireNonNull(announced.get(depth)).admits(key, depth.most(limits), now)) {
        return overflow;
      }
    }
  }

  /**
   * Whether the panes are told of a folded series all the same, because its running total needs a
   * reference of its own. As many as the budget of series, besides it.
   */
  public boolean keepsReference(
      SeriesKey key, SeriesDescriptor series, TenantLimits limits, long now) {
    long left =
        organizationLimits.activeSeries() - others(series, environment -> environment.references);
    return environment(series, now)
        .references
        .admits(key.low(), Math.min(limits.activeSeries(), left), now);
  }

  /** Forgets environments that were silent for hours. */
  public void forgetSilent(long now) {
    organizations
        .values()
        .forEach(
            environments ->
                environments
                    .values()
                    .removeIf(
                        one ->
                            one.own.isEmpty(now)
                                && one.references.isEmpty(now)
                                && one.overflow.values().stream()
                                    .allMatch(set -> set.isEmpty(now))));
    organizations.values().removeIf(Map::isEmpty);
  }

  /** What the other environments of the organisation have; few have many. */
  private long others(SeriesDescriptor series, Function<Environment, AnnouncedSeries> which) {
    Map<String, Environment> environments =
        organizations.getOrDefault(series.organizationId(), Map.of());
    long others = 0;
    for (Map.Entry<String, Environment> each : environments.entrySet()) {
      if (!each.getKey().equals(series.environmentId())) {
        others += which.apply(each.getValue()).size();
      }
    }
    return others;
  }

  private Environment environment(SeriesDescriptor series, long now) {
    return organizations
        .computeIfAbsent(series.organizationId(), ignored -> new HashMap<>())
        .computeIfAbsent(series.environmentId(), ignored -> new Environment(now));
  }
}
