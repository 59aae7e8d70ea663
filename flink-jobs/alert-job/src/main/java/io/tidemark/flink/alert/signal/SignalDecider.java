package io.tidemark.flink.alert.signal;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertGroupEvaluator;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleVersions;
import io.tidemark.flink.model.alert.SignalEvaluator;
import io.tidemark.flink.model.alert.SignalHistory;
import io.tidemark.flink.model.alert.SignalKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides the complete minutes of a signal for all of its rules. The number of a group is computed
 * once; for a group that is quiet, and whose number leaves it so, that is all: anything else is
 * decided by {@link AlertGroupEvaluator}.
 */
public final class SignalDecider {

  /** How far rows are complete, when minutes are decided. */
  public record Completeness(long watermark, long general, long ofOrganisation) {}

  private record Released(RuleGroups rule, int group) {}

  private final EvaluationCounts counts;
  private final Consumer<AlertTransition> out;
  private final long patienceMs;
  private final boolean isAllTracked;

  private final GroupTotals history = new GroupTotals();
  private final List<Released> released = new ArrayList<>();
  private int[] quiet = new int[16];
  private double[] values = new double[16];
  private double least;
  private double greatest;
  private long valuesOf;

  /**
   * @param patienceMs how long a group waits for a rule that is not known
   */
  public SignalDecider(EvaluationCounts counts, Consumer<AlertTransition> out, long patienceMs) {
    this(counts, out, patienceMs, false);
  }

  /**
   * @param isAllTracked whether no group is quiet, so that each is decided by itself
   */
  SignalDecider(
      EvaluationCounts counts,
      Consumer<AlertTransition> out,
      long patienceMs,
      boolean isAllTracked) {
    this.counts = counts;
    this.out = out;
    this.patienceMs = patienceMs;
    this.isAllTracked = isAllTracked;
  }

  /** Totals of one group after another. */
  private static final class GroupTotals implements SignalHistory {
    private @Nullable HeldSignal signal;
    private int group;

    @Override
    public @Nullable MinuteTotals totals(int side, long start) {
      return signal == null ? null : signal.totals(side, start, group);
    }
  }

  /**
   * Decides what is complete. Groups that are released by it are there until {@link #finish}, so
   * that it can be asked what was decided of them.
   */
  public void decide(HeldSignal signal, Completeness complete) {
    long from = signal.decidedUntil();
    if (from == Long.MAX_VALUE) {
      return;
    }
    boolean isDue = from + MINUTE_MS - 1 <= complete.watermark();
    long decidable = Math.max(0, Math.floorDiv(complete.ofOrganisation() - from, MINUTE_MS));
    long until = isDue ? from + decidable * MINUTE_MS : from;
    valuesOf = Long.MIN_VALUE;
    history.signal = signal;
    for (RuleGroups rule : signal.rules()) {
      RuleVersions versions = rule.versions();
      if (versions == null) {
        wait(signal, rule, complete);
      } else {
        decide(signal, rule, versions, complete, isDue, until);
      }
    }
    history.signal = null;
    if (isDue) {
      signal.groups().clean();
    }
    signal.decided(until);
  }

  /** Groups wait a while for a rule that is not known; it may come later than their rows. */
  private void wait(HeldSignal signal, RuleGroups rule, Completeness complete) {
    for (int group = 0; group < rule.quietEnd(); group++) {
      if (rule.isQuiet(group)) {
        rule.track(group, signal.ofQuiet(rule, group, signal.decidedUntil()));
      }
    }
    for (int group : List.copyOf(rule.tracked().keySet())) {
      TrackedGroup tracked = Objects.requireNonNull(rule.tracked(group));
      if (complete.watermark() - tracked.group().decidedUntil() > patienceMs) {
        release(rule, group, tracked);
      } else {
        tracked.put(withRows(signal, group, tracked.group()));
        rule.track(group, tracked);
      }
    }
  }

  private void decide(
      HeldSignal signal,
      RuleGroups rule,
      RuleVersions versions,
      Completeness complete,
      boolean isDue,
      long until) {
    List<Integer> others =
        rule.tracked().isEmpty() ? List.of() : List.copyOf(rule.tracked().keySet());
    if (isDue && rule.quiet() > 0) {
      decideQuiet(signal, rule, versions, complete, until);
    }
    if (others.isEmpty()) {
      return;
    }
    for (int group : others) {
      TrackedGroup tracked = Objects.requireNonNull(rule.tracked(group));
      if (tracked.group().decidedUntil() + MINUTE_MS - 1 <= complete.watermark()) {
        advance(signal, rule, versions, group, tracked, complete, until);
      }
    }
    rule.decisions().forget();
  }

  private void decideQuiet(
      HeldSignal signal,
      RuleGroups rule,
      RuleVersions versions,
      Completeness complete,
      long until) {
    boolean isBlind = AlertGroupEvaluator.isBlind(complete.ofOrganisation(), complete.general());
    if (!isBlind && staysQuiet(signal, rule, versions, until)) {
      return;
    }
    int left = 0;
    for (int group = 0; group < rule.quietEnd(); group++) {
      if (rule.isQuiet(group)) {
        if (isBlind || signal.groups().dirty(group) != GroupDirectory.CLEAN) {
          TrackedGroup one = signal.ofQuiet(rule, group, signal.decidedUntil());
          advance(signal, rule, versions, group, one, complete, until);
        } else {
          put(left++, group);
        }
      }
    }
    for (long minute = signal.decidedUntil(); minute < until; minute += MINUTE_MS) {
      AlertRule deciding = versions.deciding(signal.identity(), minute);
      if (deciding != null) {
        compute(signal, deciding.signal(), minute);
      }
      int before = left;
      left = 0;
      for (int i = 0; i < before; i++) {
        int group = quiet[i];
        if (deciding != null && AlertGroupEvaluator.staysQuiet(deciding, values[group])) {
          quiet[left++] = group;
        } else {
          TrackedGroup one = signal.ofQuiet(rule, group, minute);
          advance(signal, rule, versions, group, one, complete, until);
        }
      }
      if (left > 0) {
        counts.evaluated(rule, minute, left);
      }
    }
    if (left > 0) {
      counts.looked(left);
      if (until > signal.decidedUntil()) {
        counts.reached(rule, until, left);
      }
    }
  }

  /**
   * Whether one minute is decided, and the least and the maximum number of all groups leave a quiet
   * group as it was: then any does, and no group has to be looked at.
   */
  private boolean staysQuiet(
      HeldSignal signal, RuleGroups rule, RuleVersions versions, long until) {
    long minute = signal.decidedUntil();
    if (until != minute + MINUTE_MS || signal.groups().hasDirty()) {
      return false;
    }
    AlertRule deciding = versions.deciding(signal.identity(), minute);
    if (deciding == null) {
      return false;
    }
    compute(signal, deciding.signal(), minute);
    boolean stays =
        AlertGroupEvaluator.staysQuiet(deciding, least)
            && AlertGroupEvaluator.staysQuiet(deciding, greatest);
    if (stays) {
      counts.evaluated(rule, minute, rule.quiet());
      counts.looked(rule.quiet());
      counts.reached(rule, until, rule.quiet());
    }
    return stays;
  }

  private void put(int at, int group) {
    if (at == quiet.length) {
      quiet = Arrays.copyOf(quiet, 2 * at);
    }
    quiet[at] = group;
  }

  /** Computes the numbers of all groups in a minute, unless that was done for another rule. */
  private void compute(HeldSignal signal, AlertSignal looked, long minute) {
    if (valuesOf == minute) {
      return;
    }
    valuesOf = minute;
    int size = signal.groups().size();
    if (size > values.length) {
      values = new double[2 * size];
    }
    least = Double.POSITIVE_INFINITY;
    greatest = Double.NEGATIVE_INFINITY;
    for (int group = 0; group < size; group++) {
      if (signal.groups().isLive(group)) {
        history.group = group;
        double value = SignalEvaluator.value(looked, history, minute, Double.NaN);
        values[group] = value;
        // No number makes both none too.
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
  }

  private void advance(
      HeldSignal signal,
      RuleGroups rule,
      RuleVersions versions,
      int group,
      TrackedGroup one,
      Completeness complete,
      long until) {
    AlertGroup known = withRows(signal, group, one.group());
    one.put(known);
    AlertGroup after =
        new AlertGroupEvaluator(new CountedDecisions(signal, rule, group, one, counts), out)
            .advance(known, versions, complete.ofOrganisation(), complete.general());
    counts.looked(1);
    if (after == null) {
      rule.track(group, one);
      release(rule, group, one);
      return;
    }
    one.put(after);
    if (after.decidedUntil() > known.decidedUntil()) {
      counts.reached(rule, after.decidedUntil(), 1);
    }
    if (after.decidedUntil() == until && canBeQuiet(versions, signal) && one.isQuiet()) {
      rule.quiet(group, after);
    } else {
      rule.track(group, one);
    }
  }

  private static AlertGroup withRows(HeldSignal signal, int group, AlertGroup one) {
    long dirty = signal.groups().dirty(group);
    return one.withRows(
        signal.groups().lastData(group), dirty < one.decidedUntil() ? dirty : AlertGroup.CLEAN);
  }

  /** An absence counts from minute to minute, also while it is normal. */
  private boolean canBeQuiet(RuleVersions versions, HeldSignal signal) {
    AlertSignal looked = versions.signal(signal.identity());
    return !isAllTracked && looked != null && looked.kind() != SignalKind.ABSENCE;
  }

  private void release(RuleGroups rule, int group, TrackedGroup one) {
    one.release();
    released.add(new Released(rule, group));
  }

  /** Removes groups that were released. */
  public void finish(HeldSignal signal) {
    for (Released one : released) {
      signal.remove(one.rule(), one.group());
    }
    released.clear();
  }
}
