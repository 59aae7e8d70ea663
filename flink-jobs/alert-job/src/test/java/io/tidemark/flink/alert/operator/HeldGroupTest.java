package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.alert.TestAlerts.minute;
import static io.tidemark.flink.model.alert.SignalHistory.DENOMINATOR;
import static io.tidemark.flink.model.alert.SignalHistory.HOURS;
import static io.tidemark.flink.model.alert.SignalHistory.NUMERATOR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.MinuteTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How often the state of a group is read and written, and that nothing of it is lost. */
class HeldGroupTest {

  private final TestingGroupStore store = new TestingGroupStore();

  private static MinuteTotals totals(double sum) {
    return MinuteTotals.of(sum, 1, sum, sum, sum, 0);
  }

  private HeldGroup group() {
    return new HeldGroup("rule\u0001signal\u0001labels", store, Long.MAX_VALUE);
  }

  private static void row(HeldGroup group, int minute, double sum) {
    AlertGroup known = group.group();
    group.add(NUMERATOR, minute(minute), totals(sum));
    group.put(
        known == null
            ? AlertGroup.begin("signal", "labels", minute(minute), minute(minute))
            : known.withData(minute(minute)));
  }

  @Test
  void manyRowsOfAMinuteAreOneReadAndOneWrite() {
    HeldGroup group = group();
    for (int i = 0; i < 1_000; i++) {
      row(group, 0, 1);
    }
    group.write();
    // The group itself is read once, and written with its minute.
    assertEquals(1, store.reads);
    assertEquals(2, store.writes);
    assertEquals(1_000, Objects.requireNonNull(store.totals.get(minute(0))).sum());

    for (int i = 0; i < 1_000; i++) {
      row(group, 1, 1);
    }
    assertEquals(1_000, Objects.requireNonNull(group.totals(NUMERATOR, minute(0))).sum());
    assertEquals(1_000, Objects.requireNonNull(group.totals(NUMERATOR, minute(1))).sum());
    assertEquals(1, store.reads);
    assertEquals(2, store.writes);
  }

  @Test
  void aGroupThatWasStoredIsReadOnceAndItsNewMinutesAreNot() {
    row(group(), 0, 1);
    HeldGroup before = group();
    row(before, 5, 1);
    before.write();
    store.reads = 0;

    HeldGroup after = group();
    row(after, 6, 1);
    row(after, 6, 1);
    assertEquals(1, store.reads);
    assertNull(after.totals(DENOMINATOR, minute(6)));
    assertEquals(1, store.reads);
    // Rows of a minute that was stored add to what is there.
    row(after, 5, 3);
    assertEquals(4, Objects.requireNonNull(after.totals(NUMERATOR, minute(5))).sum());
    assertEquals(2, store.reads);
  }

  @Test
  void hoursAreReadOnceAnHour() {
    HeldGroup group = group();
    row(group, 0, 1);
    for (int i = 0; i < 60; i++) {
      assertNull(group.totals(HOURS, minute(-60)));
      group.wantFrom(minute(i));
      group.write();
    }
    // The group, and the hour before and after the first minute was decided.
    assertEquals(3, store.reads);
    group.wantFrom(minute(60));
    assertNull(group.totals(HOURS, minute(-60)));
    assertEquals(4, store.reads);
  }

  @Test
  void minutesThatAreNotWantedAreDroppedOnceTheyAreWritten() {
    HeldGroup group = group();
    for (int i = 0; i < 100; i++) {
      row(group, i, i);
      group.wantFrom(minute(i - 2));
      group.write();
      assertTrue(group.minutes() <= 3, () -> group.minutes() + " minutes in memory");
    }
    assertEquals(7, Objects.requireNonNull(group.totals(NUMERATOR, minute(7))).sum());
    assertEquals(2, store.reads);
  }

  @Test
  void whatIsForgottenIsGoneFromTheStateToo() {
    HeldGroup group = group();
    row(group, 0, 1);
    row(group, 1, 1);
    group.write();
    group.forgetTotals(NUMERATOR, minute(0));
    assertNull(group.totals(NUMERATOR, minute(0)));
    group.write();

    assertFalse(store.totals.containsKey(minute(0)));
    assertNull(group().totals(NUMERATOR, minute(0)));
    assertNotNull(group().totals(NUMERATOR, minute(1)));
  }

  @Test
  void whoeverCatchesUpHoldsABoundedNumberOfMinutes() {
    HeldGroup group = group();
    row(group, 0, 1);
    for (int i = 0; i < 10_000; i++) {
      group.forgetTotals(NUMERATOR, minute(i - 100));
      group.decide(minute(i), Objects.requireNonNull(group.group()).status());
      group.forgetDecision(minute(i - 62));
      assertTrue(group.minutes() <= 2 * HeldGroup.MOST_MINUTES + 4);
    }
    group.write();
    assertEquals(62, store.decisions.size());
  }

  /** Whatever is written, shrunk and restored in between, totals are those of a plain map. */
  @Test
  void totalsAreThoseOfAPlainMap() {
    Random random = new Random(7);
    TreeMap<Long, Double> plain = new TreeMap<>();
    HeldGroup group = group();
    int newest = 0;
    for (int i = 0; i < 20_000; i++) {
      newest += random.nextInt(20) == 0 ? 1 : 0;
      int at = random.nextInt(10) == 0 ? Math.max(0, newest - random.nextInt(80)) : newest;
      switch (random.nextInt(40)) {
        case 0 -> group.write();
        case 1 -> group.shrink();
        case 2 -> {
          group.write();
          group = group();
        }
        case 3 -> group.wantFrom(minute(newest - random.nextInt(5)));
        case 4 -> {
          group.forgetTotals(NUMERATOR, minute(newest - 90));
          plain.remove(minute(newest - 90));
        }
        default -> {
          row(group, at, 1);
          plain.merge(minute(at), 1.0, Double::sum);
        }
      }
      long asked = minute(newest - random.nextInt(100));
      MinuteTotals held = group.totals(NUMERATOR, asked);
      assertEquals(plain.get(asked), held == null ? null : held.sum());
    }
  }

  @Test
  void groupsThatFindNoRoomAreNotHeldAndTheBoundIsKept() {
    HeldGroups groups = new HeldGroups(10_000);
    List<HeldGroup> without = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      HeldGroup group = new HeldGroup("rule\u0001signal\u0001" + i, store, 0);
      if (!groups.hold(group)) {
        without.add(group);
      }
    }
    assertTrue(groups.size() > 5, "groups: " + groups.size());
    assertEquals(100, groups.size() + without.size());
    List<HeldGroup> held = groups.due(0);
    assertEquals(groups.size(), held.size());

    // Those that are held grow.
    for (HeldGroup group : held) {
      store.group = null;
      for (int minute = 0; minute < 10; minute++) {
        row(group, minute, 1);
      }
      groups.hold(group);
    }
    assertTrue(groups.isTooMuch());
    List<String> selected = new ArrayList<>();
    List<HeldGroup> dropped = new ArrayList<>();
    groups.reduce(selected::add, dropped::add);
    assertFalse(groups.isTooMuch());
    assertTrue(groups.bytes() <= 10_000);
    assertTrue(store.writes > 0, "written before they are dropped");
    assertEquals(held.size(), groups.size() + dropped.size());
  }
}
