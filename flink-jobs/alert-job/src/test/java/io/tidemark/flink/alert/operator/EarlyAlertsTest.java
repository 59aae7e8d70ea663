package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.alert.TestAlerts.bundle;
import static io.tidemark.flink.alert.TestAlerts.complete;
import static io.tidemark.flink.alert.TestAlerts.deleted;
import static io.tidemark.flink.alert.TestAlerts.minute;
import static io.tidemark.flink.alert.TestAlerts.record;
import static io.tidemark.flink.alert.TestAlerts.row;
import static io.tidemark.flink.alert.TestAlerts.rule;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.contracts.live.v1.Description;
import io.tidemark.contracts.live.v1.Snapshot;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.rows.RowBundle;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.AlertTransition.Kind;
import io.tidemark.flink.model.completeness.TenantLag;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Open minutes raise, complete ones confirm or take back; time of the clock is the test's. */
class EarlyAlertsTest {

  private TwoInputStreamOperatorTestHarness<RowBundle, ControlRecord, SignalMinute> rowMatcher;
  private TwoInputStreamOperatorTestHarness<LiveRecord, ControlRecord, SignalMinute> openMatcher;
  private KeyedTwoInputStreamOperatorTestHarness<
          String, SignalMinute, ControlRecord, AlertTransition>
      evaluator;
  private final List<AlertTransition> told = new ArrayList<>();
  private long clock;

  @BeforeEach
  void open() throws Exception {
    rowMatcher = new TwoInputStreamOperatorTestHarness<>(new RowMatcher(), 1, 1, 0);
    rowMatcher.open();
    openMatcher =
        new TwoInputStreamOperatorTestHarness<>(
            new CoBroadcastWithNonKeyedOperator<>(
                new OpenMinuteMatcher(),
                List.of(OpenMinuteMatcher.RULES, OpenMinuteMatcher.RULES_BEFORE)),
            1,
            1,
            0);
    openMatcher.open();
    evaluator = evaluator();
    evaluator.open();
    clock(minute(-1));
  }

  private static KeyedTwoInputStreamOperatorTestHarness<
          String, SignalMinute, ControlRecord, AlertTransition>
      evaluator() throws Exception {
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        new GroupEvaluator(), SignalMinute::signal, null, Types.STRING);
  }

  @AfterEach
  void close() throws Exception {
    rowMatcher.close();
    openMatcher.close();
    evaluator.close();
  }

  private void clock(long now) throws Exception {
    clock = now;
    openMatcher.setProcessingTime(now);
    evaluator.setProcessingTime(now);
    take();
  }

  private void take() {
    told.addAll(evaluator.extractOutputValues());
    evaluator.getOutput().clear();
  }

  private void control(ControlRecord control) throws Exception {
    rowMatcher.processElement2(control, 0);
    openMatcher.processElement2(control, 0);
    evaluator.processElement2(control, 0);
    pass(rowMatcher);
  }

  /** The matcher leaves out the minute in which it began. */
  private void control(AlertRuleControl.Builder rule) throws Exception {
    control(record(rule));
    openMatcher.processElement1(
        new LiveRecord(0, snapshot(0, -1).setTakenAtUnixMs(minute(-1)).build().toByteArray()), 0);
  }

  private void rows(String... rows) throws Exception {
    rowMatcher.processElement1(bundle(rows), 0);
    pass(rowMatcher);
  }

  private void pass(TwoInputStreamOperatorTestHarness<?, ControlRecord, SignalMinute> matcher)
      throws Exception {
    matcher.prepareSnapshotPreBarrier(1);
    for (SignalMinute minute : matcher.extractOutputValues()) {
      evaluator.processElement1(minute, 0);
    }
    matcher.getOutput().clear();
  }

  private static Snapshot.Builder snapshot(int keyGroup, int minute) {
    return Snapshot.newBuilder().setKeyGroup(keyGroup).setMinuteUnixMs(minute(minute));
  }

  /** One cell, described, and half a second after it. */
  private void cell(int keyGroup, int minute, String queue, double sum) throws Exception {
    Snapshot snapshot =
        snapshot(keyGroup, minute)
            .setTakenAtUnixMs(clock)
            .addSeriesHigh(queue.hashCode())
            .addSeriesLow(keyGroup)
            .addSum(sum)
            .addCount(1)
            .addMin(sum)
            .addMax(sum)
            .addLast(sum)
            .addLastTimeUnixNano(minute(minute) * 1_000_000)
            .addDescriptions(Description.newBuilder().setCell(0).setRow(description(queue)))
            .build();
    openMatcher.processElement1(new LiveRecord(keyGroup, snapshot.toByteArray()), 0);
    pass(openMatcher);
    clock(clock + 500);
  }

  private static String description(String queue) {
    return """
    {"organization_id":"org-a","environment_id":"env-a","metric":"depth","metric_type":"gauge",\
    "unit":"1","resource_type":"service","resource_id":"shop",\
    "series_id":"0123456789abcdef0123456789abcdef","metric.queue":"%s"}\
    """
        .formatted(queue);
  }

  private void completeUntil(int number, TenantLag... lags) throws Exception {
    evaluator.processElement2(complete(number, lags), 0);
    evaluator.processWatermark2(new Watermark(minute(number) - 1));
    evaluator.processWatermark1(new Watermark(minute(number) - 1));
    take();
  }

  private static AlertRuleControl.Builder early(String id, double threshold) {
    return rule(id, "depth", threshold).setEarly(true);
  }

  private List<Kind> kinds() {
    return told.stream().map(AlertTransition::kind).toList();
  }

  @Test
  void anOpenMinuteRaisesAndTheCompleteOneConfirmsTheSameIncident() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);

    assertEquals(List.of(Kind.FIRED), kinds());
    AlertTransition raised = told.get(0);
    assertTrue(raised.early());
    assertEquals(11, raised.value());
    assertEquals(minute(0), raised.minute());

    rows(row("depth", "orders", 0, 12));
    completeUntil(1);

    assertEquals(List.of(Kind.FIRED, Kind.FIRED), kinds());
    AlertTransition confirmed = told.get(1);
    assertFalse(confirmed.early());
    assertEquals(raised.incidentId(), confirmed.incidentId());
    assertEquals(12, confirmed.value());
    assertEquals(1, confirmed.sequence());
  }

  @Test
  void whatTheCompleteMinuteDoesNotBeginIsTakenBack() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);
    rows(row("depth", "orders", 0, 9));
    completeUntil(1);

    assertEquals(List.of(Kind.FIRED, Kind.RETRACTED), kinds());
    assertTrue(told.get(1).early());
    assertEquals(told.get(0).incidentId(), told.get(1).incidentId());
  }

  @Test
  void whatNoRowFollowsIsTakenBackAndLeavesNoState() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);
    assertTrue(evaluator.numKeyedStateEntries() > 0);

    completeUntil(1);

    assertEquals(List.of(Kind.FIRED, Kind.RETRACTED), kinds());
    assertEquals(0, evaluator.numKeyedStateEntries());
    assertEquals(0, evaluator.numEventTimeTimers());
  }

  @Test
  void aRuleThatGoesLeavesNoState() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);
    control(deleted("r1"));
    completeUntil(30);

    assertEquals(List.of(Kind.FIRED), kinds());
    assertEquals(0, evaluator.numKeyedStateEntries());
  }

  @Test
  void aRuleThatDoesNotAskHearsOfCompleteMinutesOnly() throws Exception {
    control(rule("r1", "depth", 10));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);

    assertEquals(List.of(), kinds());
    assertEquals(0, evaluator.numKeyedStateEntries());
  }

  @Test
  void aCellReplacesTheOneBeforeAndKeyGroupsAddUp() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 4);
    cell(3, 0, "orders", 6);
    cell(3, 0, "orders", 6);
    assertEquals(List.of(), kinds());

    cell(4, 0, "orders", 5);
    assertEquals(List.of(Kind.FIRED), kinds());
    assertEquals(11, told.get(0).value());
  }

  @Test
  void aMinuteIsRaisedOnceHoweverOftenItIsSent() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);
    cell(3, 0, "orders", 12);
    cell(3, 0, "orders", 13);

    assertEquals(List.of(Kind.FIRED), kinds());
  }

  @Test
  void minutesInARowCountTheOpenOne() throws Exception {
    control(early("r1", 10).setForMinutes(2));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);
    rows(row("depth", "orders", 0, 11));
    completeUntil(1);
    told.clear();
    clock(minute(1) + 2_000);
    cell(3, 1, "orders", 11);

    assertEquals(List.of(Kind.FIRED), kinds());
    assertEquals(minute(1), told.get(0).minute());
  }

  @Test
  void anIncidentThatIsOpenIsNotRaisedAgainNorEnded() throws Exception {
    control(early("r1", 10));
    rows(row("depth", "orders", 0, 11));
    completeUntil(1);
    told.clear();
    clock(minute(1) + 2_000);
    cell(3, 1, "orders", 12);
    cell(3, 1, "orders", 1);

    assertEquals(List.of(), kinds());
  }

  @Test
  void anOrganisationThatIsBehindIsSettledWhenItsMinuteIsComplete() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);
    completeUntil(1, new TenantLag("org-a", minute(0)));
    assertEquals(List.of(Kind.FIRED), kinds());

    completeUntil(3);
    assertEquals(List.of(Kind.FIRED, Kind.RETRACTED), kinds());
    assertEquals(0, evaluator.numKeyedStateEntries());
  }

  @Test
  void aRestoredJobRaisesAgainUnderTheSameIdentifiers() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    OperatorSubtaskState state = evaluator.snapshot(1, 1);
    cell(3, 0, "orders", 11);
    completeUntil(1);
    List<String> before = told.stream().map(AlertTransition::transitionId).toList();
    told.clear();
    evaluator.close();
    evaluator = evaluator();
    evaluator.initializeState(state);
    evaluator.open();
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);
    completeUntil(1);

    assertEquals(2, before.size());
    assertEquals(before, told.stream().map(AlertTransition::transitionId).toList());
  }

  /** Identifiers and sequences of complete minutes do not depend on what was seen before. */
  @Test
  void decisionsOfCompleteMinutesKnowNothingOfOpenOnes() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);
    rows(row("depth", "orders", 0, 11));
    completeUntil(1);
    rows(row("depth", "orders", 1, 2));
    completeUntil(2);
    List<AlertTransition> decided = told.stream().filter(each -> !each.early()).toList();
    close();
    open();
    told.clear();
    control(early("r1", 10));
    rows(row("depth", "orders", 0, 11));
    completeUntil(1);
    rows(row("depth", "orders", 1, 2));
    completeUntil(2);

    assertEquals(List.of(Kind.FIRED, Kind.RESOLVED), kinds());
    assertEquals(decided, told);
  }

  @Test
  void whatWasTakenLongAgoRaisesNothing() throws Exception {
    control(early("r1", 10));
    clock(minute(0) + 2_000);
    openMatcher.setProcessingTime(minute(5));
    cell(3, 0, "orders", 11);

    assertEquals(List.of(), kinds());
  }

  @Test
  void aDamagedSnapshotIsLeftOut() throws Exception {
    control(early("r1", 10));
    openMatcher.processElement1(new LiveRecord(0, new byte[] {1, 2, 3}), 0);
    openMatcher.processElement1(
        new LiveRecord(0, snapshot(0, 0).addCount(1).build().toByteArray()), 0);
    clock(minute(0) + 2_000);
    cell(3, 0, "orders", 11);

    assertEquals(List.of(Kind.FIRED), kinds());
  }
}
