package io.tidemark.flink.model.alert;

import static io.tidemark.flink.model.alert.TestRules.MINUTE;
import static io.tidemark.flink.model.alert.TestRules.above;
import static io.tidemark.flink.model.alert.TestRules.minute;
import static io.tidemark.flink.model.alert.TestRules.rule;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.alert.AlertTransition.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EarlyAlertEvaluatorTest {

  private final TestingAlertStore figures = new TestingAlertStore();
  private final List<AlertTransition> told = new ArrayList<>();
  private final EarlyAlertEvaluator evaluator = new EarlyAlertEvaluator(told::add);
  private final AlertRule rule = early(above(10));
  private final RuleVersions versions = new RuleVersions(rule, null);
  private final AlertGroup group =
      AlertGroup.begin(rule.signal().identity(), "", minute(0), minute(0));

  private static AlertRule early(AlertRule rule) {
    return new AlertRule(
        rule.organizationId(),
        rule.environmentId(),
        rule.ruleId(),
        rule.version(),
        rule.effectiveFrom(),
        rule.enabledFrom(),
        rule.severity(),
        rule.signal(),
        rule.comparison(),
        rule.forMinutes(),
        rule.recoverAfterMinutes(),
        rule.noDataAfterMinutes(),
        true);
  }

  @Test
  void theFirstMinuteThatFiresIsRaised() {
    figures.add(SignalHistory.NUMERATOR, minute(0), 3);
    figures.add(SignalHistory.NUMERATOR, minute(1), 11);
    figures.add(SignalHistory.NUMERATOR, minute(2), 12);

    EarlyAlert raised = evaluator.raise(group, versions, figures, minute(2), minute(0));

    assertNotNull(raised);
    assertEquals(minute(1), raised.minute());
    assertEquals(11, told.get(0).value());
    assertEquals(0, told.get(0).sequence());
  }

  @Test
  void nothingIsRaisedWithoutAValueThatHolds() {
    figures.add(SignalHistory.NUMERATOR, minute(1), 9);

    assertNull(evaluator.raise(group, versions, figures, minute(1), minute(0)));
    assertEquals(List.of(), told);
  }

  @Test
  void aGroupWhoseRowsAreFarBehindIsLeftToThem() {
    figures.add(SignalHistory.NUMERATOR, minute(11), 11);

    assertNull(evaluator.raise(group, versions, figures, minute(11), minute(0)));
  }

  @Test
  void anIncidentThatBeganBeforeTakesBackTheEarlyOneAtOnce() {
    figures.add(SignalHistory.NUMERATOR, minute(1), 11);
    EarlyAlert raised = evaluator.raise(group, versions, figures, minute(1), minute(0));
    assertNotNull(raised);
    AlertStatus fired =
        AlertStateMachine.next(rule, AlertStatus.beginning(minute(0)), minute(0), 20);

    assertTrue(
        evaluator.settle(raised, group.decided(minute(1), fired), versions, null, minute(1)));
    assertEquals(List.of(Kind.FIRED, Kind.RETRACTED), told.stream().map(e -> e.kind()).toList());
    assertEquals("The incident began in a minute before.", told.get(1).reason());
  }

  @Test
  void nothingIsSettledWhileTheMinuteIsOpen() {
    EarlyAlert raised = new EarlyAlert(group.signal(), "", minute(1));

    assertFalse(evaluator.settle(raised, group, versions, null, minute(1)));
    assertTrue(evaluator.settle(raised, group, versions, null, minute(1) + MINUTE));
  }

  @Test
  void whatAnUnfinishedMinuteSaysTooLittleOfIsRefused() {
    AlertComparison below = new AlertComparison(AlertComparison.Operator.LT, 1, 1);
    AlertComparison above = new AlertComparison(AlertComparison.Operator.GT, 1, 1);
    AlertSignal sum = AlertSignal.of(SignalKind.THRESHOLD, "load", Aggregation.SUM);
    AlertSignal last = AlertSignal.of(SignalKind.THRESHOLD, "load", Aggregation.LAST);
    AlertSignal absence = AlertSignal.of(SignalKind.ABSENCE, "load", Aggregation.SUM);

    assertEquals(List.of(), early(rule(sum, above, 0, 0)).faults());
    assertEquals(List.of(), early(rule(last, below, 0, 0)).faults());
    assertEquals(
        List.of("early: sum, count and rate of an open minute are below any threshold at first."),
        early(rule(sum, below, 0, 0)).faults());
    assertEquals(
        List.of("early: absence is known only when a minute is complete."),
        early(rule(absence, above, 0, 0)).faults());
  }
}
