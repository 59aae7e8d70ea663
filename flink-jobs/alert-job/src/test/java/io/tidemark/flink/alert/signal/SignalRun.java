package io.tidemark.flink.alert.signal;

import static io.tidemark.flink.alert.TestAlerts.minute;

import io.tidemark.flink.alert.match.PackedGroups;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.match.SignalSide;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.AlertComparison;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleVersions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** One signal of a test with its rules, its state and what is told and counted of it. */
final class SignalRun {

  static final String ORGANISATION = "org-a";
  static final String ENVIRONMENT = "env-a";

  final TestingSignalStore store = new TestingSignalStore();
  final SignalRules rules = new SignalRules();
  final List<AlertTransition> told = new ArrayList<>();

  /** Minutes of groups, by rule. */
  final Map<String, Integer> evaluated = new TreeMap<>();

  final String key;
  private final AlertSignal looked;
  private final SignalDecider decider;
  private final PackedOutput out = new PackedOutput();
  private final Map<String, RuleVersions> versions = new TreeMap<>();
  HeldSignal signal;
  private long watermark = Long.MIN_VALUE;

  SignalRun(AlertSignal looked, boolean isAllTracked) {
    this.looked = looked;
    this.key = SignalMinute.key(ORGANISATION, ENVIRONMENT, looked.identity());
    this.signal = new HeldSignal(key, store, Long.MAX_VALUE);
    EvaluationCounts counts =
        new EvaluationCounts() {
          @Override
          public void evaluated(RuleGroups rule, long minute, int groups) {
            evaluated.merge(rule.rule() + " " + minute, groups, Integer::sum);
          }

          @Override
          public void reached(RuleGroups rule, long until, int groups) {
            evaluated.merge(rule.rule() + " until " + until, groups, Integer::sum);
          }

          @Override
          public void looked(int groups) {
            // Nobody asks.
          }
        };
    this.decider =
        new SignalDecider(counts, told::add, Duration.ofMinutes(10).toMillis(), isAllTracked);
  }

  static AlertRule rule(
      String id, int version, int from, AlertSignal signal, AlertComparison comparison) {
    return new AlertRule(
        ORGANISATION,
        ENVIRONMENT,
        id,
        version,
        minute(from),
        0,
        "critical",
        signal,
        comparison,
        0,
        0,
        5,
        false);
  }

  /** Puts a version of a rule in force. */
  void put(AlertRule rule) {
    RuleVersions before = versions.get(rule.key());
    RuleVersions now = new RuleVersions(rule, before == null ? null : before.latest());
    versions.put(rule.key(), now);
    rules.put(rule.key(), now);
  }

  void remove(String rule) {
    versions.remove(rule);
    rules.remove(rule);
  }

  Iterable<String> ruleKeys() {
    return versions.keySet();
  }

  void row(int side, int minute, String labels, MinuteTotals totals) {
    SignalMinute record =
        SignalSide.of(key, looked, side)
            .minute(
                minute(minute), PackedGroups.of(labels, totals, minute(minute)), SignalMinute.ROWS);
    signal.take(record, rules, watermark);
  }

  /** Rows are complete in general up to a minute, and those of the organisation up to another. */
  void completeUntil(int general, int ofOrganisation) {
    watermark = minute(general) - 1;
    if (!signal.isKnown()) {
      return;
    }
    signal.follow(rules, watermark);
    decider.decide(
        signal, new SignalDecider.Completeness(watermark, minute(general), minute(ofOrganisation)));
    decider.finish(signal);
    if (signal.isOver(watermark, Duration.ofMinutes(10).toMillis())) {
      signal.release();
    }
  }

  void write() {
    signal.write(out);
  }

  void shrink() {
    signal.shrink(out);
  }

  /** Goes on from what is stored. */
  void restore() {
    write();
    signal = new HeldSignal(key, store, Long.MAX_VALUE);
  }

  RuleGroups groups(String rule) {
    return Objects.requireNonNull(signal.rule(rule));
  }
}
