package io.tidemark.flink.alert.match;

import io.tidemark.flink.alert.match.RowSelection.Look;
import io.tidemark.flink.alert.match.RowSelection.Subscription;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.RuleVersions;
import io.tidemark.flink.model.alert.SignalHistory;
import io.tidemark.flink.model.alert.SignalKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rules by organisation, environment and metric, and below it by the way in which they look at
 * rows.
 */
public final class RuleIndex {

  /** Where what a row is for goes. */
  @FunctionalInterface
  public interface Matches {
    void add(SignalSide signal, String labels);
  }

  /** A rule and how it looks at one metric. */
  private record Entry(Look look, Subscription subscription) {}

  private static final char SEPARATOR = '\u0001';

  private final Map<String, Map<Look, RowSelection>> byMetric = new HashMap<>();
  private final Map<String, List<RowSelection>> ofRule = new HashMap<>();

  /**
   * Puts the versions of a rule in the place of those before.
   *
   * @throws IllegalArgumentException when an expression is none of RE2; then nothing is changed
   */
  public void put(String key, RuleVersions versions) {
    List<Entry> entries = new ArrayList<>();
    AlertRule previous = versions.previous();
    boolean isSame = previous != null && versions.previousSignal().equals(versions.latestSignal());
    add(key, versions.latest(), versions.latestSignal(), versions, entries);
    if (previous != null && !isSame) {
      add(key, previous, versions.previousSignal(), versions, entries);
    }
    List<RowSelection> fresh = new ArrayList<>();
    for (Entry entry : entries) {
      if (!selections(entry.look().metric()).containsKey(entry.look())) {
        fresh.add(new RowSelection(entry.look()));
      }
    }
    remove(key);
    fresh.forEach(
        one ->
            byMetric
                .computeIfAbsent(one.look().metric(), ignored -> new LinkedHashMap<>())
                .putIfAbsent(one.look(), one));
    List<RowSelection> selections = new ArrayList<>();
    for (Entry entry : entries) {
      RowSelection selection =
          byMetric
              .computeIfAbsent(entry.look().metric(), ignored -> new LinkedHashMap<>())
              .computeIfAbsent(entry.look(), RowSelection::new);
      selection.subscribe(entry.subscription());
      selections.add(selection);
    }
    ofRule.put(key, selections);
  }

  private static void add(
      String key, AlertRule rule, String identity, RuleVersions versions, List<Entry> entries) {
    AlertSignal signal = rule.signal();
    String signalKey = SignalMinute.key(rule.organizationId(), rule.environmentId(), identity);
    long from = versions.wantedFrom(identity);
    SignalSide above = SignalSide.of(signalKey, signal, SignalHistory.NUMERATOR);
    entries.add(new Entry(look(rule, signal.metric()), new Subscription(key, above, from)));
    if (signal.kind() == SignalKind.RATIO) {
      SignalSide below = SignalSide.of(signalKey, signal, SignalHistory.DENOMINATOR);
      entries.add(
          new Entry(look(rule, signal.denominatorMetric()), new Subscription(key, below, from)));
    }
  }

  private static Look look(AlertRule rule, String metric) {
    AlertSignal signal = rule.signal();
    return new Look(
        metricKey(rule.organizationId(), rule.environmentId(), metric),
        signal.matchers(),
        signal.perSeries(),
        signal.groupBy());
  }

  public void remove(String key) {
    List<RowSelection> selections = ofRule.remove(key);
    if (selections == null) {
      return;
    }
    for (RowSelection selection : selections) {
      selection.unsubscribe(key);
      Map<Look, RowSelection> ofMetric = byMetric.get(selection.look().metric());
      if (selection.isEmpty() && ofMetric != null) {
        ofMetric.remove(selection.look());
        if (ofMetric.isEmpty()) {
          byMetric.remove(selection.look().metric());
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

  /** Ways of looking at a metric of a row. */
  Collection<RowSelection> selections(RollupRow row) {
    return selections(metricKey(row.organizationId(), row.environmentId(), row.metric())).values();
  }

  private Map<Look, RowSelection> selections(String metric) {
    return byMetric.getOrDefault(metric, Map.of());
  }

  /** Says what signals and groups a row is for. */
  public void match(RollupRow row, Matches matches) {
    for (RowSelection selection : selections(row)) {
      if (selection.fits(row.labels())) {
        String labels = selection.groupOf(row.labels());
        selection.wanting(row.minute(), signal -> matches.add(signal, labels));
      }
    }
  }

  private static String metricKey(String organizationId, String environmentId, String metric) {
    return organizationId + SEPARATOR + environmentId + SEPARATOR + metric;
  }
}
