package io.tidemark.flink.model.budget;

import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many series of each environment one reader of the points topic tells the panes of. The panes
 * decide by their state which series are kept apart; this bounds how many names reach them at all.
 * A memory only: a reader that starts again admits anew, up to the same limits.
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

  private final Map<String, Environment> environments = new HashMap<>();

  /** Null when the series goes under its own name, else why it does not. */
  public @Nullable Excess excess(
      SeriesKey key, SeriesDescriptor series, TenantLimits limits, long now) {
    if (Overflow.isOverflow(series)) {
      return null;
    }
    Excess excess = Excess.ofLabels(series, limits);
    AnnouncedSeries own = environment(series, now).own;
    if (excess == null && !own.admits(key.low(), limits.activeSeries(), now)) {
      excess = new Excess(Budget.ACTIVE_SERIES, limits.activeSeries(), own.size() + 1L);
    }
    return excess;
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
      if (announced.get(depth).admits(key, depth.most(limits), now)) {
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
    return environment(series, now).references.admits(key.low(), limits.activeSeries(), now);
  }

  /** Forgets environments that were silent for hours. */
  public void forgetSilent(long now) {
    environments
        .values()
        .removeIf(
            one ->
                one.own.isEmpty(now)
                    && one.references.isEmpty(now)
                    && one.overflow.values().stream().allMatch(set -> set.isEmpty(now)));
  }

  private Environment environment(SeriesDescriptor series, long now) {
    String name = series.organizationId() + "/" + series.environmentId();
    Environment known = environments.get(name);
    if (known == null) {
      known = new Environment(now);
      environments.put(name, known);
    }
    return known;
  }
}
