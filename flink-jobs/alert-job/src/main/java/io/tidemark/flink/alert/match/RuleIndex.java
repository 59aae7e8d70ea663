package io.tidemark.flink.alert.match;

import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.GroupLabels;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleVersions;
import io.tidemark.flink.model.alert.SignalHistory;
import io.tidemark.flink.model.alert.SignalKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules by organisation, environment and metric. */
public final class RuleIndex {

  /** Where what a row adds goes. */
  @FunctionalInterface
  public interface Additions {
    void add(String rule, String signal, String labels, int side, long start, MinuteTotals totals);
  }

  /** One metric of one version of a rule. */
  private record Entry(
      String rule,
      String signalIdentity,
      AlertSignal signal,
      RowMatchers matchers,
      int side,
      long from) {}

  private static final long HOUR_MS = Duration.ofHours(1).toMillis();
  private static final char SEPARATOR = '\u0001';

  private final Map<String, List<Entry>> byMetric = new HashMap<>();
  private final Map<String, List<String>> metricsOfRule = new HashMap<>();

  /**
   * Puts the versions of a rule in the place of those before.
   *
   * @throws IllegalArgumentException when an expression is none of RE2; then nothing is changed
   */
  public void put(String key, RuleVersions versions) {
    List<Entry> entries = new ArrayList<>();
    List<String> metrics = new ArrayList<>();
    AlertRule latest = versions.latest();
    AlertRule previous = versions.previous();
    boolean isSame = previous != null && versions.previousSignal().equals(versions.latestSignal());
    // Late rows of minutes that the version before decided count as long as its groups go on.
    long from = isSame ? previous.effectiveFrom() : latest.effectiveFrom();
    add(key, latest, versions.latestSignal(), from, entries, metrics);
    if (previous != null && !isSame) {
      add(key, previous, versions.previousSignal(), previous.effectiveFrom(), entries, metrics);
    }
    remove(key);
    for (int i = 0; i < entries.size(); i++) {
      byMetric.computeIfAbsent(metrics.get(i), ignored -> new ArrayList<>()).add(entries.get(i));
    }
    metricsOfRule.put(key, metrics);
  }

  private static void add(
      String key,
      AlertRule rule,
      String identity,
      long effectiveFrom,
      List<Entry> entries,
      List<String> metrics) {
    AlertSignal signal = rule.signal();
    RowMatchers matchers = new RowMatchers(signal.matchers());
    long from = effectiveFrom - rule.lookbackMs();
    entries.add(new Entry(key, identity, signal, matchers, SignalHistory.NUMERATOR, from));
    metrics.add(metricKey(rule.organizationId(), rule.environmentId(), signal.metric()));
    if (signal.kind() == SignalKind.RATIO) {
      entries.add(new Entry(key, identity, signal, matchers, SignalHistory.DENOMINATOR, from));
      metrics.add(
          metricKey(rule.organizationId(), rule.environmentId(), signal.denominatorMetric()));
    }
  }

  public void remove(String key) {
    List<String> metrics = metricsOfRule.remove(key);
    if (metrics != null) {
      for (String metric : metrics) {
        List<Entry> entries = byMetric.get(metric);
        if (entries != null && entries.removeIf(entry -> entry.rule().equals(key))) {
          if (entries.isEmpty()) {
            byMetric.remove(metric);
          }
        }
      }
    }
  }

  /** Whether no row concerns any rule. */
  public boolean isEmpty() {
    return byMetric.isEmpty();
  }

  public boolean isWanted(String organizationId, String environmentId, String metric) {
    return byMetric.containsKey(metricKey(organizationId, environmentId, metric));
  }

  /** Adds a row to the groups of all rules that it fits. */
  public void match(RollupRow row, MinuteTotals totals, Additions additions) {
    List<Entry> entries =
        byMetric.get(metricKey(row.organizationId(), row.environmentId(), row.metric()));
    if (entries == null) {
      return;
    }
    for (Entry entry : entries) {
      if (row.minute() >= entry.from() && entry.matchers().fit(row.labels())) {
        String labels =
            entry.signal().perSeries()
                ? GroupLabels.of(List.copyOf(row.labels().keySet()), row.labels())
                : GroupLabels.of(entry.signal().groupBy(), row.labels());
        additions.add(
            entry.rule(), entry.signalIdentity(), labels, entry.side(), row.minute(), totals);
        if (entry.signal().kind() == SignalKind.ANOMALY) {
          long hour = Math.floorDiv(row.minute(), HOUR_MS) * HOUR_MS;
          additions.add(
              entry.rule(), entry.signalIdentity(), labels, SignalHistory.HOURS, hour, totals);
        }
      }
    }
  }

  private static String metricKey(String organizationId, String environmentId, String metric) {
    return organizationId + SEPARATOR + environmentId + SEPARATOR + metric;
  }
}
