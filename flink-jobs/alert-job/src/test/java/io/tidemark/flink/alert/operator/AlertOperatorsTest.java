package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.alert.TestAlerts.bundle;
import static io.tidemark.flink.alert.TestAlerts.complete;
import static io.tidemark.flink.alert.TestAlerts.deleted;
import static io.tidemark.flink.alert.TestAlerts.matcher;
import static io.tidemark.flink.alert.TestAlerts.minute;
import static io.tidemark.flink.alert.TestAlerts.record;
import static io.tidemark.flink.alert.TestAlerts.row;
import static io.tidemark.flink.alert.TestAlerts.rule;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.flink.alert.TestAlerts;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.rows.RowBundle;
import io.tidemark.flink.model.alert.AlertState;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.AlertTransition.Kind;
import io.tidemark.flink.model.alert.EvaluatedHour;
import io.tidemark.flink.model.alert.EvaluationUsage;
import io.tidemark.flink.model.alert.GroupCount;
import io.tidemark.flink.model.alert.RuleEvaluation;
import io.tidemark.flink.model.completeness.TenantLag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Both operators, one behind the other, with the state of both looked at. */
class AlertOperatorsTest {

  private TwoInputStreamOperatorTestHarness<RowBundle, ControlRecord, SignalMinute> matcher;
  private KeyedTwoInputStreamOperatorTestHarness<
          String, SignalMinute, ControlRecord, AlertTransition>
      evaluator;
  private final List<AlertTransition> told = new ArrayList<>();

  @BeforeEach
  void open() throws Exception {
    matcher = new TwoInputStreamOperatorTestHarness<>(new RowMatcher(), 1, 1, 0);
    matcher.open();
    evaluator = evaluator();
    evaluator.open();
  }

  private static KeyedTwoInputStreamOperatorTestHarness<
          String, SignalMinute, ControlRecord, AlertTransition>
      evaluator() throws Exception {
    return evaluator(new GroupEvaluator());
  }

  private static KeyedTwoInputStreamOperatorTestHarness<
          String, SignalMinute, ControlRecord, AlertTransition>
      evaluator(GroupEvaluator groups) throws Exception {
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        groups, SignalMinute::signal, null, Types.STRING);
  }

  /** Goes on with other operators from a checkpoint. */
  private void restore(GroupEvaluator groups) throws Exception {
    OperatorSubtaskState state = evaluator.snapshot(1, 1);
    evaluator.close();
    evaluator = evaluator(groups);
    evaluator.initializeState(state);
    evaluator.open();
  }

  @AfterEach
  void close() throws Exception {
    matcher.close();
    evaluator.close();
  }

  private void control(ControlRecord control) throws Exception {
    matcher.processElement2(control, 0);
    evaluator.processElement2(control, 0);
    pass();
  }

  private void control(AlertRuleControl.Builder rule) throws Exception {
    control(record(rule));
  }

  private void rows(String... rows) throws Exception {
    matcher.processElement1(bundle(rows), 0);
    pass();
  }

  private void pass() throws Exception {
    matcher.prepareSnapshotPreBarrier(1);
    for (SignalMinute minute : matcher.extractOutputValues()) {
      evaluator.processElement1(minute, 0);
    }
    matcher.getOutput().clear();
  }

  private List<AlertTransition> completeUntil(int number, TenantLag... lags) throws Exception {
    evaluator.processElement2(complete(number, lags), 0);
    evaluator.processWatermark2(new Watermark(minute(number) - 1));
    evaluator.processWatermark1(new Watermark(minute(number) - 1));
    List<AlertTransition> now = new ArrayList<>(evaluator.extractOutputValues());
    evaluator.getOutput().clear();
    told.addAll(now);
    return now;
  }

  private List<Kind> kinds() {
    return told.stream().map(AlertTransition::kind).toList();
  }

  @Test
  void aRuleFiresForTheGroupsThatItFitsOnly() throws Exception {
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 0, 6), row("depth", "mails", 0, 6), row("other", "orders", 0, 99));
    rows(row("depth", "orders", 0, 5));

    assertEquals(1, completeUntil(1).size());
    AlertTransition fired = told.get(0);
    assertEquals(Kind.FIRED, fired.kind());
    assertEquals(11, fired.value());
    assertTrue(fired.group().contains("orders"), fired.group());
  }

  /** After late rows the rollup job states a millisecond more when event time stands still. */
  @Test
  void aStatementOfAMillisecondMoreDecidesLateRows() throws Exception {
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 0, 6));
    assertEquals(List.of(), completeUntil(1));
    rows(row("depth", "mails", 0, 11));
    assertEquals(List.of(), completeUntil(1), "the same statement decides nothing anew");

    evaluator.processWatermark2(new Watermark(minute(1)));
    assertEquals(List.of(), evaluator.extractOutputValues(), "rows of others may be on their way");
    evaluator.processWatermark1(new Watermark(minute(1)));
    assertEquals(
        List.of(Kind.FIRED),
        evaluator.extractOutputValues().stream().map(AlertTransition::kind).toList());
  }

  /** The index is what keeps a rule from rows of other tenants, metrics and labels. */
  @Test
  void rowsOfNoRuleReachNoSignal() throws Exception {
    AlertRuleControl.Builder rule = rule("r1", "depth", 10);
    rule.getSignalBuilder().addMatchers(matcher("metric.queue", "eq", "orders"));
    control(rule);
    matcher.processElement1(
        bundle(
            row("depth", "mails", 0, 99),
            row("other", "orders", 0, 99),
            row("depth", "orders", 0, 99).replace("org-a", "org-b"),
            row("depth", "orders", 0, 99).replace("env-a", "env-b")),
        0);
    matcher.prepareSnapshotPreBarrier(1);
    assertEquals(List.of(), matcher.extractOutputValues());

    control(deleted("r1"));
    matcher.processElement1(bundle(row("depth", "orders", 1, 99)), 0);
    matcher.prepareSnapshotPreBarrier(2);
    assertEquals(List.of(), matcher.extractOutputValues(), "nor those of a rule that is gone");
  }

  @Test
  void nothingIsDecidedBeforeBothRowsAndStatementsAreComplete() throws Exception {
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 0, 11));

    evaluator.processWatermark1(new Watermark(minute(5)));
    assertEquals(List.of(), evaluator.extractOutputValues());
    assertEquals(1, completeUntil(1).size());
  }

  @Test
  void matchersDecideWhichRowsCount() throws Exception {
    AlertRuleControl.Builder rule = rule("r1", "depth", 10);
    rule.getSignalBuilder().addMatchers(matcher("metric.queue", "regex", "ord.*"));
    control(rule);
    rows(row("depth", "orders", 0, 11), row("depth", "mails", 0, 11));

    assertEquals(1, completeUntil(1).size());
  }

  @Test
  void oneBadRuleStopsNoOther() throws Exception {
    AlertRuleControl.Builder bad = rule("bad", "depth", 10);
    bad.getSignalBuilder().addMatchers(matcher("metric.queue", "regex", "("));
    control(bad);
    control(rule("newer", "depth", 10).setForm(2));
    control(new ControlRecord("org-a/env-a/broken", new byte[] {1, 2, 3}));
    AlertRuleControl.Builder impossible = rule("impossible", "depth", Double.NaN);
    control(impossible);
    control(rule("good", "depth", 10));
    rows(row("depth", "orders", 0, 11), "{\"timestamp\":", "[]");

    assertEquals(1, completeUntil(1).size());
    assertEquals("good", told.get(0).ruleId());
  }

  @Test
  void aDeletedRuleLeavesNoState() throws Exception {
    control(rule("r1", "depth", 10));
    for (int i = 0; i < 5; i++) {
      rows(row("depth", "orders", i, i), row("depth", "mails", i, 11));
      completeUntil(i + 1);
    }
    evaluator.snapshot(1, 1);
    assertTrue(evaluator.numKeyedStateEntries() > 0);
    control(deleted("r1"));
    completeUntil(30);

    assertEquals(0, evaluator.numKeyedStateEntries());
    assertEquals(0, evaluator.numEventTimeTimers());
    rows(row("depth", "orders", 31, 99));
    assertEquals(0, evaluator.numKeyedStateEntries());
  }

  @Test
  void seriesThatGoLeaveNoState() throws Exception {
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 0, 1));
    completeUntil(1);
    completeUntil(70);

    assertEquals(0, evaluator.numKeyedStateEntries());
    assertEquals(0, evaluator.numEventTimeTimers());
  }

  @Test
  void aRuleWithOneGroupNoticesSilenceFromTheBeginning() throws Exception {
    AlertRuleControl.Builder rule = rule("r1", "depth", 2);
    rule.getSignalBuilder().setKind("absence").clearGroupBy();
    control(rule);

    assertEquals(1, completeUntil(5).size());
    assertEquals(Kind.FIRED, told.get(0).kind());
    rows(row("depth", "orders", 5, 1));
    completeUntil(6);
    assertEquals(List.of(Kind.FIRED, Kind.RESOLVED), kinds());
  }

  @Test
  void lateRowsAreTakenInWithTheNextStatement() throws Exception {
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 0, 1), row("depth", "orders", 1, 1));
    completeUntil(2);
    rows(row("depth", "orders", 0, 20));

    List<AlertTransition> late = completeUntil(3);
    assertEquals(List.of(Kind.FIRED, Kind.RESOLVED), kinds());
    assertTrue(late.get(0).revised());
  }

  @Test
  void aTenantThatIsBehindIsBlind() throws Exception {
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 0, 1));
    completeUntil(1);

    List<AlertTransition> blind = completeUntil(5, new TenantLag("org-a", minute(1)));
    assertEquals(AlertState.BLIND, blind.get(0).state());
    rows(row("depth", "orders", 1, 20));
    assertEquals(Kind.FIRED, completeUntil(6).get(0).kind());
  }

  @Test
  void aRestoredJobGoesOnWhereItWas() throws Exception {
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 0, 11));
    completeUntil(1);
    OperatorSubtaskState state = evaluator.snapshot(1, 1);
    evaluator.close();
    evaluator = evaluator();
    evaluator.initializeState(state);
    evaluator.open();

    rows(row("depth", "orders", 1, 1));
    completeUntil(2);

    assertEquals(List.of(Kind.FIRED, Kind.RESOLVED), kinds());
    assertEquals(told.get(0).incidentId(), told.get(1).incidentId());
    assertEquals(2, told.get(1).sequence());
  }

  @Test
  void signalsThatFindNoRoomHaveTimersAndGoOnInMemoryWhereThereIsSome() throws Exception {
    GroupEvaluator little = new GroupEvaluator(1);
    restore(little);
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 0, 11), row("depth", "mails", 0, 1));
    completeUntil(1);
    assertEquals(List.of(Kind.FIRED), kinds());
    assertEquals(0, little.heldSignals());
    assertEquals(1, evaluator.numEventTimeTimers());

    GroupEvaluator roomy = new GroupEvaluator();
    restore(roomy);
    assertEquals(1, roomy.heldSignals());
    rows(row("depth", "orders", 1, 1));
    completeUntil(2);
    assertEquals(List.of(Kind.FIRED, Kind.RESOLVED), kinds());
    assertEquals(0, evaluator.numEventTimeTimers());

    restore(new GroupEvaluator(1));
    rows(row("depth", "mails", 2, 11));
    completeUntil(3);
    assertEquals(List.of(Kind.FIRED, Kind.RESOLVED, Kind.FIRED), kinds());
  }

  private List<GroupCount> counts() {
    List<GroupCount> counts = new ArrayList<>();
    var side = evaluator.getSideOutput(GroupEvaluator.COUNTS);
    if (side != null) {
      side.forEach(each -> counts.add(each.getValue()));
      side.clear();
    }
    return counts;
  }

  @Test
  void aStatementSaysHowFarRulesAreDecidedAndOfHowManyGroups() throws Exception {
    control(rule("r1", "depth", 10));
    control(rule("r2", "nothing", 10));
    rows(row("depth", "orders", 0, 1), row("depth", "mails", 0, 1));
    completeUntil(1);
    assertEquals(List.of(), counts());

    completeUntil(2);
    assertEquals(
        Set.of(
            new GroupCount(TestAlerts.key("r1"), 1, 0, minute(1), 2, false),
            new GroupCount(TestAlerts.key("r2"), 1, 0, minute(1), 0, false)),
        Set.copyOf(counts()));

    completeUntil(7, new TenantLag("org-a", minute(2)));
    assertTrue(counts().stream().allMatch(GroupCount::behind), "rows are behind");
    control(deleted("r1"));
    assertEquals(List.of(GroupCount.gone(TestAlerts.key("r1"))), counts());
  }

  @Test
  void theLedgerAddsPartsUpAndForgetsARuleThatIsGone() throws Exception {
    try (var ledger =
        new KeyedOneInputStreamOperatorTestHarness<String, GroupCount, RuleEvaluation>(
            new KeyedProcessOperator<>(new EvaluationLedger()), GroupCount::rule, Types.STRING)) {
      ledger.open();
      ledger.processElement(new GroupCount("r", 1, 0, minute(1), 2, false), 0);
      ledger.processElement(new GroupCount("r", 1, 1, minute(1), 3, false), 0);
      ledger.processElement(new GroupCount("r", 1, 1, minute(1), 3, false), 0);
      ledger.processElement(new GroupCount("r", 1, 0, minute(5), 2, false), 0);
      ledger.processElement(GroupCount.gone("r"), 0);

      assertEquals(
          List.of(
              new RuleEvaluation("r", 1, minute(1), 2, false),
              new RuleEvaluation("r", 1, minute(1), 5, false),
              new RuleEvaluation("r", 1, minute(5), 2, false),
              RuleEvaluation.gone("r")),
          ledger.extractOutputValues());
      assertEquals(0, ledger.numKeyedStateEntries());
    }
  }

  private List<EvaluatedHour> evaluated() {
    List<EvaluatedHour> hours = new ArrayList<>();
    var side = evaluator.getSideOutput(GroupEvaluator.EVALUATED);
    if (side != null) {
      side.forEach(each -> hours.add(each.getValue()));
      side.clear();
    }
    return hours;
  }

  private static EvaluatedHour evaluated(String rule, int firstMinuteOfHour, long count) {
    return new EvaluatedHour(TestAlerts.key(rule), "depth", minute(firstMinuteOfHour), count);
  }

  @Test
  void everyMinuteOfEveryGroupIsAnEvaluationOnce() throws Exception {
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 58, 1), row("depth", "mails", 58, 1));
    completeUntil(62);
    assertEquals(List.of(), evaluated());

    rows(row("depth", "orders", 59, 20));
    completeUntil(62);
    assertEquals(Set.of(evaluated("r1", 0, 4), evaluated("r1", 60, 4)), Set.copyOf(evaluated()));

    completeUntil(63);
    assertEquals(List.of(), evaluated());
    // Minutes that late rows had decided anew are no evaluations more.
    assertTrue(kinds().contains(Kind.FIRED), "decided anew");
    completeUntil(64);
    assertEquals(List.of(evaluated("r1", 60, 2)), evaluated());
  }

  @Test
  void evaluationsThatNoStatementSentOnAreInTheCheckpoint() throws Exception {
    control(rule("r1", "depth", 10));
    rows(row("depth", "orders", 0, 1), row("depth", "mails", 0, 1));
    completeUntil(3);
    OperatorSubtaskState state = evaluator.snapshot(1, 1);
    evaluator.close();
    evaluator = evaluator();
    evaluator.initializeState(state);
    evaluator.open();

    completeUntil(3);
    assertEquals(List.of(evaluated("r1", 0, 6)), evaluated());
  }

  @Test
  void anHourOfEvaluationsLeavesInPartsThatAddUp() throws Exception {
    try (var collector = collector()) {
      collector.open();
      collector.processElement(evaluated("r1", 0, 5), 0);
      collector.processElement(evaluated("r1", 0, 6), 0);
      collector.processElement(evaluated("r2", 0, 1), 0);
      collector.processWatermark(minute(14));
      assertEquals(List.of(), collector.extractOutputValues());

      collector.processWatermark(minute(15));
      collector.processElement(evaluated("r1", 0, 7), 0);
      collector.processElement(evaluated("r1", 60, 2), 0);
      collector.processWatermark(minute(90));
      // Of a tenant that was behind.
      collector.processElement(evaluated("r1", 0, 3), 0);
      collector.processWatermark(minute(120));

      List<EvaluationUsage> records = collector.extractOutputValues();
      assertEquals(5, records.stream().map(EvaluationUsage::recordId).distinct().count());
      assertEquals(
          21,
          records.stream()
              .map(EvaluationUsage::hour)
              .filter(hour -> hour.rule().equals(TestAlerts.key("r1")))
              .filter(hour -> hour.hourUnixMs() == minute(0))
              .mapToLong(EvaluatedHour::evaluations)
              .sum());
      collector.processWatermark(minute(60 * 60));
      assertEquals(5, collector.extractOutputValues().size());
      assertEquals(0, collector.numKeyedStateEntries());
      assertEquals(0, collector.numEventTimeTimers());
    }
  }

  @Test
  void aRestoredCollectorGivesTheSameRecords() throws Exception {
    List<EvaluationUsage> records = new ArrayList<>();
    OperatorSubtaskState state;
    try (var before = collector()) {
      before.open();
      before.processElement(evaluated("r1", 0, 5), 0);
      before.processWatermark(minute(15));
      before.processElement(evaluated("r1", 0, 6), 0);
      records.addAll(before.extractOutputValues());
      state = before.snapshot(1, 1);
    }
    for (int restart = 0; restart < 2; restart++) {
      try (var after = collector()) {
        after.initializeState(state);
        after.open();
        after.processWatermark(minute(30));
        assertEquals(1, after.extractOutputValues().size());
        records.addAll(after.extractOutputValues());
      }
    }
    assertEquals(records.get(1).recordId(), records.get(2).recordId());
    assertEquals(2, records.stream().map(EvaluationUsage::recordId).distinct().count());
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, EvaluatedHour, EvaluationUsage>
      collector() throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(new EvaluatedHourCollector()),
        EvaluatedHour::subject,
        Types.STRING);
  }
}
