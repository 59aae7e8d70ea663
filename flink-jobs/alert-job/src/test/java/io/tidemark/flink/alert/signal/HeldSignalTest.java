package io.tidemark.flink.alert.signal;

import static io.tidemark.flink.alert.TestAlerts.minute;
import static io.tidemark.flink.model.alert.SignalHistory.HOURS;
import static io.tidemark.flink.model.alert.SignalHistory.NUMERATOR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.alert.match.PackedGroups;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.match.SignalSide;
import io.tidemark.flink.model.alert.Aggregation;
import io.tidemark.flink.model.alert.AlertComparison;
import io.tidemark.flink.model.alert.AlertComparison.Operator;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.AlertTransition.Kind;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How often the state of a signal is read and written, and that nothing of it is lost. */
class HeldSignalTest {

  private static final AlertSignal SUM = grouped(SignalKind.THRESHOLD, 0);

  private static AlertSignal grouped(SignalKind kind, int days) {
    return new AlertSignal(
        kind,
        "depth",
        Aggregation.SUM,
        List.of(),
        false,
        List.of("metric.queue"),
        1,
        0,
        false,
        "",
        Aggregation.SUM,
        0,
        days,
        0);
  }

  private static SignalRun run(int rules) {
    SignalRun run = new SignalRun(SUM, false);
    for (int i = 0; i < rules; i++) {
      run.put(SignalRun.rule("rule-" + i, 1, 0, SUM, above(100 + i)));
    }
    return run;
  }

  private static AlertComparison above(double threshold) {
    return new AlertComparison(Operator.GT, threshold, threshold);
  }

  private static String queue(int number) {
    return "metric.queue\u0000q" + number;
  }

  private static MinuteTotals totals(double sum) {
    return MinuteTotals.of(sum, 1, sum, sum, sum, minute(0));
  }

  private static void minutes(SignalRun run, int from, int until, int groups, double value) {
    for (int at = from; at < until; at++) {
      for (int group = 0; group < groups; group++) {
        run.row(NUMERATOR, at, queue(group), totals(value));
      }
      run.completeUntil(at + 1, at + 1);
      run.write();
    }
  }

  @Test
  void aMinuteOfManyRulesAndGroupsIsOnePageAndAHeader() {
    SignalRun run = run(100);
    minutes(run, 0, 70, 200, 1);
    run.store.reads = 0;
    run.store.writes = 0;
    run.store.removals = 0;
    minutes(run, 70, 170, 200, 1);

    assertEquals(2 * 100, run.store.writes);
    assertEquals(0, run.store.removals);
    assertEquals(0, run.store.reads);
    assertEquals(List.of(), run.told);
    assertEquals(200, run.groups("org-a/env-a/rule-7").quiet());
  }

  @Test
  void rulesOfOneSignalAreDecidedEachByItself() {
    SignalRun run = run(10);
    minutes(run, 0, 3, 2, 104.5);
    assertEquals(5 * 2, run.told.size());
    assertEquals(10, run.told.stream().map(AlertTransition::incidentId).distinct().count());
    run.told.clear();
    minutes(run, 3, 5, 2, 1);
    assertEquals(10, run.told.stream().filter(each -> each.kind() == Kind.RESOLVED).count());
  }

  @Test
  void aRestoredSignalReadsWhatItNeedsAndGoesOn() {
    SignalRun run = run(3);
    minutes(run, 0, 100, 10, 1);
    minutes(run, 100, 101, 10, 101.5);
    run.restore();
    run.store.reads = 0;
    run.told.clear();
    minutes(run, 101, 102, 10, 1);

    assertEquals(2 * 10, run.told.size());
    assertTrue(run.told.stream().allMatch(each -> each.sequence() == 2));
    // Header, rules and labels, of each rule what is quiet and what is not, and two of decisions.
    assertTrue(run.store.reads <= 3 + 2 * 3 + 2, "reads: " + run.store.reads);
  }

  @Test
  void aLateRowHasItsMinuteDecidedAnewForAllRules() {
    SignalRun run = run(3);
    minutes(run, 0, 100, 2, 1);
    run.restore();
    run.row(NUMERATOR, 60, queue(1), totals(100.5));
    minutes(run, 100, 101, 2, 1);

    // It fires, and is over, for two of the rules: what was there is added.
    assertEquals(4, run.told.size());
    assertTrue(run.told.stream().allMatch(AlertTransition::revised));
    RuleGroups rule = run.groups("org-a/env-a/rule-0");
    assertTrue(run.signal.decision(rule, queue(1), minute(60)).value() > 100);
    assertEquals(1, rule.quiet());
    // An hour later it is as quiet as the others.
    minutes(run, 101, 170, 2, 1);
    assertEquals(2, rule.quiet());
  }

  @Test
  void aRowTooLateForAnyDecisionChangesNothing() {
    SignalRun run = run(1);
    minutes(run, 0, 200, 1, 1);
    run.row(NUMERATOR, 20, queue(0), totals(1_000));
    run.completeUntil(201, 201);
    assertEquals(List.of(), run.told.stream().filter(AlertTransition::revised).toList());
    assertNull(run.signal.totals(NUMERATOR, minute(20), queue(0)));
  }

  @Test
  void theStateOfASignalDoesNotGrowWithTime() {
    SignalRun run = run(20);
    minutes(run, 0, 100, 10, 1);
    int pages = run.store.pages.size();
    for (int at = 100; at < 1_000; at++) {
      // Now and then a group fires, so that it is tracked for an hour.
      run.row(NUMERATOR, at, queue(at % 10), totals(at % 97 == 0 ? 500 : 1));
      minutes(run, at, at + 1, 10, 1);
    }
    int most = pages + 20 * (PageKey.DECISION_SLOTS + 2);
    assertTrue(run.store.pages.size() <= most, "pages: " + run.store.pages.size());
  }

  @Test
  void aRuleThatIsNotKnownYetHasItsGroupsWhenItIs() {
    SignalRun run = new SignalRun(SUM, false);
    run.row(NUMERATOR, 0, queue(0), totals(200));
    run.row(NUMERATOR, 1, queue(0), totals(1));
    run.completeUntil(1, 1);
    assertEquals(List.of(), run.told);
    run.put(SignalRun.rule("late", 1, 0, SUM, above(100)));
    run.completeUntil(2, 2);

    assertEquals(List.of(Kind.FIRED, Kind.RESOLVED), run.told.stream().map(t -> t.kind()).toList());
    assertEquals(minute(0), run.told.get(0).minute());
  }

  @Test
  void aRuleThatComesLaterSharesWhatIsThere() {
    SignalRun run = run(1);
    minutes(run, 0, 80, 4, 50);
    run.put(SignalRun.rule("new", 1, 79, SUM, above(10)));
    minutes(run, 80, 81, 4, 50);

    // From its first minute on, of which rows are there.
    assertEquals(4, run.told.size());
    assertTrue(run.told.stream().allMatch(each -> each.minute() == minute(79)));
  }

  @Test
  void aRuleThatGoesLeavesNothingAndOthersKeepTheirs() {
    SignalRun run = run(2);
    minutes(run, 0, 5, 2, 100.5);
    assertEquals(2, run.told.size());
    int before = run.store.pages.size();
    run.remove("org-a/env-a/rule-0");
    minutes(run, 5, 20, 2, 100.5);
    assertNull(run.signal.rule("org-a/env-a/rule-0"));
    assertEquals(2, run.groups("org-a/env-a/rule-1").quiet());
    assertTrue(run.store.pages.size() <= before + 15, "only minutes came");

    run.remove("org-a/env-a/rule-1");
    minutes(run, 20, 40, 0, 0);
    assertFalse(run.signal.isKnown());
    assertEquals(0, run.store.pages.size());
    assertNull(run.store.header);
    assertEquals(2, run.told.size());
  }

  @Test
  void aGroupThatIsSilentLeavesItsNumberToAnother() {
    SignalRun run = run(1);
    minutes(run, 0, 3, 3, 1);
    for (int at = 3; at < 200; at++) {
      run.row(NUMERATOR, at, queue(0), totals(1));
      minutes(run, at, at + 1, 1, 1);
    }
    assertEquals(1, run.signal.groups().live());
    run.row(NUMERATOR, 200, queue(9), totals(1));
    run.completeUntil(201, 201);
    assertEquals(2, run.signal.groups().live());
    assertTrue(run.signal.groups().find(queue(9)) < 3);
    run.restore();
    assertEquals(
        1, Objects.requireNonNull(run.signal.totals(NUMERATOR, minute(200), queue(9))).sum());
    assertNull(run.signal.totals(NUMERATOR, minute(150), queue(9)));
    assertNotNull(run.signal.totals(NUMERATOR, minute(150), queue(0)));
  }

  @Test
  void hoursAreReadOnceAnHour() {
    AlertSignal anomaly = grouped(SignalKind.ANOMALY, 2);
    SignalRun run = new SignalRun(anomaly, false);
    run.put(SignalRun.rule("odd", 1, 0, anomaly, above(100)));
    minutes(run, 0, 3 * 1_440, 1, 50);
    run.restore();
    minutes(run, 3 * 1_440, 3 * 1_440 + 2, 1, 50);
    run.store.reads = 0;
    minutes(run, 3 * 1_440 + 2, 3 * 1_440 + 59, 1, 50);
    assertEquals(0, run.store.reads);
    minutes(run, 3 * 1_440 + 59, 3 * 1_440 + 90, 1, 50);
    assertTrue(run.store.reads <= 4, "reads: " + run.store.reads);
    MinuteTotals hour = run.signal.totals(HOURS, minute(2 * 1_440), queue(0));
    assertEquals(60 * 50, Objects.requireNonNull(hour).sum());
    // Two days and what is around them, not all that came.
    assertTrue(run.store.pages.size() < 250, "pages: " + run.store.pages.size());
  }

  @Test
  void signalsThatFindNoRoomAreNotHeldAndTheBoundIsKept() {
    HeldSignals signals = new HeldSignals(20_000);
    List<HeldSignal> without = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      HeldSignal signal =
          new HeldSignal(SignalMinute.key("org", "env", "s" + i), new TestingSignalStore(), 0);
      if (!signals.hold(signal)) {
        without.add(signal);
      }
    }
    assertTrue(signals.size() > 5, "signals: " + signals.size());
    assertEquals(100, signals.size() + without.size());
    List<HeldSignal> held = signals.due(0);
    assertEquals(signals.size(), held.size());

    // Those that are held grow.
    SignalRun run = run(1);
    for (HeldSignal signal : held) {
      for (int minute = 0; minute < 10; minute++) {
        SignalMinute one =
            SignalSide.of(signal.key(), SUM, NUMERATOR)
                .minute(
                    minute(minute),
                    PackedGroups.of(queue(minute), totals(1), minute(minute)),
                    SignalMinute.ROWS);
        signal.take(one, run.rules, 0);
      }
      signals.hold(signal);
    }
    assertTrue(signals.isTooMuch());
    List<String> selected = new ArrayList<>();
    List<HeldSignal> dropped = new ArrayList<>();
    signals.reduce(selected::add, dropped::add);
    assertFalse(signals.isTooMuch());
    assertTrue(signals.bytes() <= 20_000);
    assertEquals(held.size() + dropped.size(), selected.size());
    assertEquals(held.size(), signals.size() + dropped.size());
  }
}
