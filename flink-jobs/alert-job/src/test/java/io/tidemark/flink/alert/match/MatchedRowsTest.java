package io.tidemark.flink.alert.match;

import static io.tidemark.flink.alert.TestAlerts.bundle;
import static io.tidemark.flink.alert.TestAlerts.key;
import static io.tidemark.flink.alert.TestAlerts.minute;
import static io.tidemark.flink.alert.TestAlerts.record;
import static io.tidemark.flink.alert.TestAlerts.row;
import static io.tidemark.flink.alert.TestAlerts.rule;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.flink.alert.TestAlerts;
import io.tidemark.flink.alert.match.MatchedRows.Bounds;
import io.tidemark.flink.io.alerts.AlertRuleRecord;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows meet before they leave, and are parsed once a series. */
class MatchedRowsTest {

  private static final Bounds ROOM = new Bounds(1 << 20, 1 << 20);

  private final RuleIndex index = new RuleIndex();
  private final List<SignalMinute> out = new ArrayList<>();
  private final List<MinuteTotals> totals = new ArrayList<>();
  private int matched;
  private int unreadable;

  private MatchedRows rows(Bounds bounds) {
    return new MatchedRows(index, () -> matched++, () -> unreadable++, bounds);
  }

  private void put(AlertRuleControl.Builder rule) {
    AlertRuleRecord read = AlertRuleRecord.of(record(rule));
    index.put(
        key(rule.getRuleId()), new RuleVersions(((AlertRuleRecord.Active) read).rule(), null));
  }

  private void add(MatchedRows rows, String... lines) {
    rows.add(bundle(lines).rows(), this::take);
  }

  private void take(SignalMinute minute) {
    out.add(minute);
    PackedGroups.read(minute, (labels, from, length, one) -> totals.add(one));
  }

  private double sum() {
    return totals.stream().mapToDouble(MinuteTotals::sum).sum();
  }

  @Test
  void rowsOfManyRecordsAreOneRecordHoweverManyRulesAndGroupsThereAre() {
    for (int i = 0; i < 50; i++) {
      put(rule("r" + i, "depth", i));
    }
    MatchedRows rows = rows(ROOM);
    for (int i = 0; i < 1_000; i++) {
      add(rows, row("depth", "orders", 0, 1), row("depth", "mails", 0, 2));
    }
    assertEquals(List.of(), out);
    rows.handOn(this::take);

    assertEquals(1, out.size());
    assertEquals(2, totals.size());
    assertTrue(totals.stream().allMatch(one -> one.count() == 1_000));
    assertEquals(2_000, matched);
    assertEquals(2, rows.parsed());
    out.clear();
    rows.handOn(this::take);
    assertEquals(List.of(), out);
  }

  @Test
  void signalsThatLookAlikeDifferInTheMinutesThatTheyWant() {
    put(rule("old", "depth", 1));
    AlertRuleControl.Builder other = rule("new", "depth", 1);
    other.getSignalBuilder().setAggregation("max");
    put(other.setEffectiveFromUnixMs(minute(5)));
    MatchedRows rows = rows(ROOM);
    add(rows, row("depth", "orders", 4, 1), row("depth", "orders", 5, 2));
    rows.handOn(this::take);

    String old = out.get(0).signal();
    assertEquals(
        List.of(minute(4), minute(5)),
        out.stream().filter(one -> one.signal().equals(old)).map(SignalMinute::start).toList());
    assertEquals(
        List.of(minute(5)),
        out.stream().filter(one -> !one.signal().equals(old)).map(SignalMinute::start).toList());
  }

  @Test
  void rulesOfOneSignalShareItFromTheFirstMinuteThatOneWants() {
    put(rule("new", "depth", 1).setEffectiveFromUnixMs(minute(5)));
    put(rule("old", "depth", 2));
    MatchedRows rows = rows(ROOM);
    add(rows, row("depth", "orders", 4, 1), row("depth", "orders", 5, 2));
    rows.handOn(this::take);
    assertEquals(List.of(minute(4), minute(5)), out.stream().map(SignalMinute::start).toList());

    out.clear();
    index.remove(key("old"));
    add(rows, row("depth", "orders", 4, 1), row("depth", "orders", 5, 2));
    rows.handOn(this::take);
    assertEquals(List.of(minute(5)), out.stream().map(SignalMinute::start).toList());
  }

  /** A group begins with the first minute that is heard of it. */
  @Test
  void earlierMinutesLeaveFirst() {
    put(rule("r1", "depth", 1));
    MatchedRows rows = rows(ROOM);
    for (int minute : new int[] {7, 3, 9, 1, 8, 2}) {
      add(rows, row("depth", "orders", minute, 1));
    }
    rows.handOn(this::take);
    assertEquals(
        List.of(minute(1), minute(2), minute(3), minute(7), minute(8), minute(9)),
        out.stream().map(SignalMinute::start).toList());
  }

  @Test
  void aRuleThatIsChangedOrGoneWantsNothing() {
    put(rule("r1", "depth", 1));
    put(rule("r2", "depth", 1));
    MatchedRows rows = rows(ROOM);
    add(rows, row("depth", "orders", 0, 1));
    rows.handOn(this::take);
    out.clear();
    index.remove(key("r1"));
    put(rule("r2", "other", 1));
    rows.forget();
    add(rows, row("depth", "orders", 0, 1));
    rows.handOn(this::take);

    assertEquals(List.of(), out);
    assertTrue(index.isWanted("org-a", "env-a", "other"));
    index.remove(key("r2"));
    assertTrue(index.isEmpty());
  }

  @Test
  void rowsOfAnotherLayoutAreReadAlikeAndDamagedOnesAreCounted() {
    put(rule("r1", "depth", 1));
    MatchedRows rows = rows(ROOM);
    String plain = row("depth", "orders", 0, 1);
    add(rows, plain, plain.replace("{\"timestamp\"", "{ \"timestamp\""), "{\"timestamp\":", "[]");
    rows.handOn(this::take);

    assertEquals(2, unreadable);
    assertEquals(1, out.size());
    assertEquals(2, totals.get(0).sum());
    assertEquals(minute(0) + 1, totals.get(0).lastTime());
  }

  @Test
  void seriesThatFindNoRoomAreForgottenAndNothingIsLost() {
    put(rule("r1", "depth", 1).setSignal(TestAlerts.perSeries("depth")));
    MatchedRows rows = rows(new Bounds(2_000, 1 << 20));
    for (int i = 0; i < 3; i++) {
      add(
          rows,
          IntStream.range(0, 100)
              .mapToObj(queue -> row("depth", "q" + queue, 0, 1))
              .toArray(String[]::new));
    }
    rows.handOn(this::take);

    assertTrue(rows.parsed() > 100, "parsed again: " + rows.parsed());
    assertEquals(300, sum());
  }

  @Test
  void totalsThatFindNoRoomLeaveAtOnce() {
    put(rule("r1", "depth", 1));
    MatchedRows rows = rows(new Bounds(1 << 20, 1_000));
    for (int minute = 0; minute < 20; minute++) {
      add(rows, row("depth", "orders", minute, 1));
    }
    assertTrue(out.size() > 10, "left: " + out.size());
    rows.handOn(this::take);
    assertEquals(20, sum());
  }
}
