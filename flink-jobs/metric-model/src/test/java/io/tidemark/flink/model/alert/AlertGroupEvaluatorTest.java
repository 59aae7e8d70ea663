package io.tidemark.flink.model.alert;

import static io.tidemark.flink.model.alert.TestRules.MINUTE;
import static io.tidemark.flink.model.alert.TestRules.above;
import static io.tidemark.flink.model.alert.TestRules.minute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.alert.AlertTransition.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AlertGroupEvaluatorTest {

  private final TestingAlertStore store = new TestingAlertStore();
  private final List<AlertTransition> told = new ArrayList<>();
  private RuleVersions rule = new RuleVersions(above(10), null);
  private @Nullable AlertGroup group;

  private void data(int number, double value) {
    long minute = minute(number);
    store.add(SignalHistory.NUMERATOR, minute, value);
    AlertGroup known = group;
    if (known == null) {
      known = AlertGroup.begin(rule.latestSignal(), "", minute, minute);
    }
    group = known.withData(minute);
  }

  /** Every minute before the number is complete. */
  private List<AlertTransition> completeUntil(int number) {
    return completeUntil(number, number);
  }

  private List<AlertTransition> completeUntil(int ofTenant, int ofAll) {
    told.clear();
    AlertGroup known = group;
    assertNotNull(known);
    group =
        new AlertGroupEvaluator(store, told::add)
            .advance(known, rule, minute(ofTenant), minute(ofAll));
    return List.copyOf(told);
  }

  private static AlertTransition only(List<AlertTransition> transitions) {
    assertEquals(1, transitions.size(), transitions::toString);
    return transitions.get(0);
  }

  @Test
  void aMinuteIsDecidedWhenItIsCompleteAndNotBefore() {
    data(0, 11);

    assertEquals(List.of(), completeUntil(0));
    AlertTransition fired = only(completeUntil(1));

    assertEquals(Kind.FIRED, fired.kind());
    assertEquals(AlertState.FIRING, fired.state());
    assertEquals(minute(0), fired.since());
    assertEquals(11, fired.value());
    assertEquals(minute(1), fired.completeUntil());
    assertFalse(fired.revised());
  }

  @Test
  void rowsOfAMinuteAddUp() {
    data(0, 6);
    data(0, 5);

    assertEquals(11, only(completeUntil(1)).value());
  }

  @Test
  void anIncidentEndsAtTheMinuteThatIsNormalAgain() {
    data(0, 11);
    AlertTransition fired = only(completeUntil(1));
    data(1, 12);
    assertEquals(List.of(), completeUntil(2));
    data(2, 3);

    AlertTransition resolved = only(completeUntil(3));

    assertEquals(Kind.RESOLVED, resolved.kind());
    assertEquals(fired.incidentId(), resolved.incidentId());
    assertEquals(minute(2), resolved.until());
  }

  @Test
  void itFiresAfterSoManyMinutesInARow() {
    rule = new RuleVersions(above(10, 10, 3, 0), null);
    data(0, 11);
    assertEquals(AlertState.PENDING, only(completeUntil(1)).state());
    data(1, 11);
    data(2, 11);

    AlertTransition fired = only(completeUntil(3));

    assertEquals(Kind.FIRED, fired.kind());
    assertEquals(minute(2), fired.since());
  }

  @Test
  void aValueNearTheThresholdDoesNotFlap() {
    rule = new RuleVersions(above(10, 5, 0, 0), null);
    data(0, 11);
    data(1, 9);
    data(2, 6);
    assertEquals(Kind.FIRED, only(completeUntil(3)).kind());
    data(3, 5);

    assertEquals(Kind.RESOLVED, only(completeUntil(4)).kind());
  }

  @Test
  void silenceIsNoDataAndNotHealthAndKeepsTheIncident() {
    data(0, 11);
    AlertTransition fired = only(completeUntil(1));

    AlertTransition silent = only(completeUntil(6));
    assertEquals(AlertState.NO_DATA, silent.state());
    assertEquals(fired.incidentId(), silent.incidentId());
    assertEquals(minute(3), silent.minute());
    data(6, 1);
    AlertTransition resolved = only(completeUntil(7));

    assertEquals(Kind.RESOLVED, resolved.kind());
    assertEquals(fired.incidentId(), resolved.incidentId());
  }

  @Test
  void lateRowsRetractWhatWouldNotHaveBeen() {
    rule =
        new RuleVersions(
            TestRules.rule(
                AlertSignal.of(SignalKind.THRESHOLD, "load", Aggregation.SUM),
                new AlertComparison(AlertComparison.Operator.LT, 10, 10),
                0,
                0),
            null);
    data(0, 4);
    AlertTransition fired = only(completeUntil(1));
    data(1, 20);
    assertEquals(Kind.RESOLVED, only(completeUntil(2)).kind());
    data(0, 40);

    AlertTransition retracted = only(completeUntil(3).subList(0, 1));

    assertEquals(Kind.RETRACTED, retracted.kind());
    assertEquals(fired.incidentId(), retracted.incidentId());
    assertTrue(retracted.revised());
  }

  @Test
  void lateRowsCorrectTheBeginningOfAnIncident() {
    data(0, 1);
    data(1, 1);
    data(2, 20);
    AlertTransition fired = only(completeUntil(3));
    data(1, 30);

    AlertTransition corrected = completeUntil(4).get(0);

    assertEquals(Kind.CORRECTED, corrected.kind());
    assertEquals(fired.incidentId(), corrected.incidentId());
    assertEquals(minute(1), corrected.since());
    assertEquals(0, corrected.until());
  }

  @Test
  void lateRowsFireWhatWasMissed() {
    for (int i = 0; i < 5; i++) {
      data(i, 1);
    }
    completeUntil(5);
    data(2, 50);
    data(5, 1);

    List<AlertTransition> late = completeUntil(6);

    assertEquals(
        List.of(Kind.FIRED, Kind.RESOLVED), late.stream().map(AlertTransition::kind).toList());
    assertEquals(minute(2), late.get(0).since());
    assertEquals(minute(3), late.get(1).until());
    assertTrue(late.get(0).revised());
  }

  @Test
  void rowsThatChangeNoDecisionTellNothing() {
    data(0, 1);
    completeUntil(1);
    data(0, 1);
    data(1, 1);

    assertEquals(List.of(), completeUntil(2));
  }

  @Test
  void aChangedRuleNeitherLosesNorDoublesTheIncident() {
    data(0, 11);
    AlertTransition fired = only(completeUntil(1));
    AlertRule changed = TestRules.version(rule.latest(), 2, minute(2), 5);
    rule = new RuleVersions(changed, rule.latest());
    data(1, 11);
    data(2, 7);

    assertEquals(List.of(), completeUntil(3), "7 is above the new threshold");
    data(3, 4);
    AlertTransition resolved = only(completeUntil(4));

    assertEquals(fired.incidentId(), resolved.incidentId());
    assertEquals(2, resolved.ruleVersion());
  }

  @Test
  void aRuleThatIsChangedTwiceInAMinuteKeepsItsIncident() {
    data(0, 11);
    AlertTransition fired = only(completeUntil(1));
    AlertRule first = TestRules.version(rule.latest(), 2, minute(2), 5);
    AlertRule second = TestRules.version(rule.latest(), 3, minute(2), 6);
    rule = rule.followedBy(first).followedBy(second);
    data(1, 11);
    data(2, 7);

    assertEquals(List.of(), completeUntil(3));
    data(3, 4);
    AlertTransition resolved = only(completeUntil(4));

    assertEquals(fired.incidentId(), resolved.incidentId());
    assertEquals(3, resolved.ruleVersion());
  }

  /** The record that says so may be lost: a key keeps its last record only. */
  @Test
  void aRuleThatWasDisabledForAMomentBeginsAnew() {
    data(0, 11);
    data(1, 11);
    data(2, 11);
    data(3, 11);
    AlertTransition fired = only(completeUntil(2));
    AlertRule before = rule.latest();
    AlertRule enabled = TestRules.enabled(before, 3, minute(3));
    rule = new RuleVersions(enabled, before);

    List<AlertTransition> told = completeUntil(4);

    AlertTransition again = told.get(told.size() - 1);
    assertEquals(Kind.FIRED, again.kind());
    assertEquals(minute(3), again.since());
    assertNotEquals(fired.incidentId(), again.incidentId());
    assertTrue(told.stream().noneMatch(one -> one.kind() == Kind.RESOLVED), "it ended before");
  }

  @Test
  void aRuleThatLooksAtSomethingElseEndsTheIncident() {
    data(0, 11);
    data(1, 11);
    AlertTransition fired = only(completeUntil(2));
    AlertRule other =
        new AlertRule(
            "org-a",
            "env-a",
            "rule-a",
            2,
            minute(3),
            rule.latest().enabledFrom(),
            "critical",
            AlertSignal.of(SignalKind.THRESHOLD, "other", Aggregation.SUM),
            rule.latest().comparison(),
            0,
            0,
            3,
            false);
    rule = new RuleVersions(other, rule.latest());

    AlertTransition ended = only(completeUntil(4));

    assertEquals(Kind.RESOLVED, ended.kind());
    assertTrue(ended.released());
    assertEquals(fired.incidentId(), ended.incidentId());
    assertNull(group);
  }

  @Test
  void aTenantThatIsBehindIsBlindUntilItsRowsAreComplete() {
    data(0, 1);
    completeUntil(1);
    data(1, 11);

    AlertTransition blind = only(completeUntil(1, 4));
    assertEquals(AlertState.BLIND, blind.state());
    assertFalse(blind.reason().isEmpty());
    assertEquals(List.of(), completeUntil(1, 5), "told once");
    AlertTransition fired = completeUntil(5, 6).get(0);

    assertEquals(Kind.FIRED, fired.kind());
    assertEquals(minute(1), fired.since());
  }

  @Test
  void replayedRowsGiveTheSameIdentifiers() {
    List<String> first = identifiers();
    List<String> second = identifiers();

    assertEquals(first, second);
    assertEquals(first.size(), new HashSet<>(first).size());
  }

  private List<String> identifiers() {
    AlertGroupEvaluatorTest run = new AlertGroupEvaluatorTest();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      run.data(i, i % 5 == 0 ? 11 : 1);
      run.completeUntil(i + 1).forEach(transition -> ids.add(transition.transitionId()));
    }
    return ids;
  }

  @Test
  void stateStaysBounded() {
    int most = 0;
    for (int i = 0; i < 1_000; i++) {
      data(i, i % 7);
      completeUntil(i + 1);
      most = Math.max(most, store.size());
    }

    assertTrue(most < 3 * AlertGroupEvaluator.REVISED.toMinutes(), "entries: " + most);
  }

  @Test
  void aSilentSeriesIsReleased() {
    AlertRule grouped =
        TestRules.rule(
            TestRules.grouped(AlertSignal.of(SignalKind.THRESHOLD, "load", Aggregation.SUM)),
            new AlertComparison(AlertComparison.Operator.GT, 10, 10),
            0,
            0);
    rule = new RuleVersions(grouped, null);
    data(0, 1);
    completeUntil(1);

    List<AlertTransition> transitions = completeUntil(70);

    assertNull(group);
    AlertTransition last = transitions.get(transitions.size() - 1);
    assertTrue(last.released());
    assertEquals(AlertState.NORMAL, last.state());
    assertEquals(last.minute() - minute(0), 62 * MINUTE);
  }
}
