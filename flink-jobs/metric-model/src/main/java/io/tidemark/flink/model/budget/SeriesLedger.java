package io.tidemark.flink.model.budget;

import io.tidemark.flink.model.rollup.MinuteGrid;
import io.tidemark.flink.model.series.SeriesDescriptor;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The series that the key groups of one subtask keep apart, by environment, against its share of
 * the budgets. Counted from the panes' state, so it is the same after a restart.
 *
 * <p>Series are spread by a cryptographic hash, so an environment within its budget is rarely far
 * from its even share; the share has five standard deviations of room, and folds nothing of such an
 * environment.
 */
public final class SeriesLedger {

  private static final double DEVIATIONS = 5;

  private static final class Environment {
    private final Map<String, Map<String, Integer>> labelKeys = new HashMap<>();
    private final Map<Overflow, Integer> overflow = new EnumMap<>(Overflow.class);
    private long series;
    private long minute;
    private long newInMinute;
    private final Organization organization;
    private final LabelKeyCounts allLabelKeys;

    Environment(Organization organization) {
      this.organization = organization;
      this.allLabelKeys = new LabelKeyCounts(organization.labelKeys);
    }

    boolean isEmpty() {
      return series == 0 && overflow.isEmpty();
    }
  }

  private static final class Organization {
    private final LabelKeyCounts labelKeys;
    private int environments;
    private long series;

    Organization(LabelKeyCounts ofAll) {
      labelKeys = new LabelKeyCounts(ofAll);
    }
  }

  private final double share;
  private final OrganizationLimits organizationLimits;
  private final LabelKeyCounts labelKeys = new LabelKeyCounts(null);
  private final Map<String, Organization> organizations = new HashMap<>();
  private final Map<String, Environment> environments = new HashMap<>();

  /**
   * @param ownKeyGroups key groups of the subtask
   * @param allKeyGroups key groups of the job
   * @param organizationLimits their names of labels are held against the subtask's own series, not
   *     against a share: series of one set of labels are everywhere
   */
  public SeriesLedger(int ownKeyGroups, int allKeyGroups, OrganizationLimits organizationLimits) {
    this.share = (double) ownKeyGroups / allKeyGroups;
    this.organizationLimits = organizationLimits;
  }

  public boolean isEmpty() {
    return environments.isEmpty() && organizations.isEmpty() && labelKeys.isEmpty();
  }

  /** Different names of labels over all tenants: as many columns the rows of the subtask have. */
  public int labelKeys() {
    return labelKeys.size();
  }

  /** Takes a series in; null, or why it has to be folded. */
  public @Nullable Excess admit(SeriesDescriptor series, TenantLimits limits, long now) {
    Environment environment = environment(series);
    long minute = Math.floorDiv(now, MinuteGrid.MINUTE_MS);
    if (environment.minute != minute) {
      environment.minute = minute;
      environment.newInMinute = 0;
    }
    Excess excess = excess(environment, series, limits);
    if (excess == null) {
      environment.newInMinute++;
      enter(environment, series);
    } else {
      removeIfEmpty(series, environment);
    }
    return excess;
  }

  /** Takes an overflow series in; false when there are too many of its depth. */
  public boolean admitOverflow(SeriesDescriptor series, TenantLimits limits) {
    Environment environment = environment(series);
    Overflow depth = Overflow.depthOf(series);
    if (environment.overflow.getOrDefault(depth, 0) >= ownShare(depth.most(limits))
        || excessOfLabelKeys(environment, series) != null) {
      removeIfEmpty(series, environment);
      return false;
    }
    environment.overflow.merge(depth, 1, Integer::sum);
    environment.allLabelKeys.enter(series);
    return true;
  }

  /** A series that the state had already. */
  public void restored(SeriesDescriptor series) {
    Environment environment = environment(series);
    if (Overflow.isOverflow(series)) {
      environment.overflow.merge(Overflow.depthOf(series), 1, Integer::sum);
      environment.allLabelKeys.enter(series);
    } else {
      enter(environment, series);
    }
  }

  /** A series that the state no longer has. */
  public void left(SeriesDescriptor series) {
    Environment environment = environment(series);
    environment.allLabelKeys.leave(series);
    if (Overflow.isOverflow(series)) {
      environment.overflow.computeIfPresent(
          Overflow.depthOf(series), (depth, n) -> n == 1 ? null : n - 1);
    } else {
      environment.series--;
      environment.organization.series--;
      Map<String, Integer> keys = environment.labelKeys.get(series.metric());
      if (keys != null) {
        for (String key : series.attributes().keySet()) {
          keys.computeIfPresent(key, (name, n) -> n == 1 ? null : n - 1);
        }
        if (keys.isEmpty()) {
          environment.labelKeys.remove(series.metric());
        }
      }
    }
    removeIfEmpty(series, environment);
  }

  private @Nullable Excess excess(
      Environment environment, SeriesDescriptor series, TenantLimits limits) {
    Excess ofLabels = Excess.ofLabels(series, limits);
    if (ofLabels != null) {
      return ofLabels;
    }
    if (environment.series >= ownShare(limits.activeSeries())) {
      return new Excess(Budget.ACTIVE_SERIES, limits.activeSeries(), environment.series + 1);
    }
    if (environment.organization.series >= ownShare(organizationLimits.activeSeries())) {
      return new Excess(
          Budget.ACTIVE_SERIES_PER_ORGANIZATION,
          organizationLimits.activeSeries(),
          environment.organization.series + 1);
    }
    if (environment.newInMinute >= ownShare(limits.newSeriesPerMinute())) {
      return new Excess(
          Budget.NEW_SERIES_PER_MINUTE, limits.newSeriesPerMinute(), environment.newInMinute + 1);
    }
    int keys = keysWith(environment, series);
    if (keys > limits.labelKeysPerMetric()) {
      return new Excess(Budget.LABEL_KEYS_PER_METRIC, limits.labelKeysPerMetric(), keys);
    }
    return excessOfLabelKeys(environment, series);
  }

  private @Nullable Excess excessOfLabelKeys(Environment environment, SeriesDescriptor series) {
    int keys = environment.allLabelKeys.with(series);
    if (keys > organizationLimits.labelKeysPerEnvironment()) {
      return new Excess(
          Budget.LABEL_KEYS_PER_ENVIRONMENT, organizationLimits.labelKeysPerEnvironment(), keys);
    }
    // Nothing that is new to the organisation is old to its environment.
    keys = keys == 0 ? 0 : environment.organization.labelKeys.with(series);
    if (keys > organizationLimits.labelKeys()) {
      return new Excess(Budget.LABEL_KEYS_PER_ORGANIZATION, organizationLimits.labelKeys(), keys);
    }
    return null;
  }

  private static int keysWith(Environment environment, SeriesDescriptor series) {
    Map<String, Integer> keys = environment.labelKeys.getOrDefault(series.metric(), Map.of());
    int more = 0;
    for (String key : series.attributes().keySet()) {
      more += keys.containsKey(key) ? 0 : 1;
    }
    return more == 0 ? 0 : keys.size() + more;
  }

  private static void enter(Environment environment, SeriesDescriptor series) {
    environment.series++;
    environment.organization.series++;
    environment.allLabelKeys.enter(series);
    if (!series.attributes().isEmpty()) {
      Map<String, Integer> keys =
          environment.labelKeys.computeIfAbsent(series.metric(), ignored -> new HashMap<>());
      for (String key : series.attributes().keySet()) {
        keys.merge(key, 1, Integer::sum);
      }
    }
  }

  private long ownShare(long budget) {
    if (share >= 1 || budget == Long.MAX_VALUE) {
      return budget;
    }
    double even = budget * share;
    return Math.min(budget, (long) Math.ceil(even + DEVIATIONS * Math.sqrt(even) + DEVIATIONS));
  }

  private Environment environment(SeriesDescriptor series) {
    return environments.computeIfAbsent(
        name(series),
        ignored -> {
          Organization organization =
              organizations.computeIfAbsent(
                  series.organizationId(), unknown -> new Organization(labelKeys));
          organization.environments++;
          return new Environment(organization);
        });
  }

  private void removeIfEmpty(SeriesDescriptor series, Environment environment) {
    if (environment.isEmpty()) {
      environments.remove(name(series));
      if (--environment.organization.environments == 0) {
        organizations.remove(series.organizationId());
      }
    }
  }

  private static String name(SeriesDescriptor series) {
    return series.organizationId() + "/" + series.environmentId();
  }
}
