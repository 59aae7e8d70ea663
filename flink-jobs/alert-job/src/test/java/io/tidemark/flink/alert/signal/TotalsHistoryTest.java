package io.tidemark.flink.alert.signal;

import static io.tidemark.flink.alert.TestAlerts.MINUTE;
import static io.tidemark.flink.alert.TestAlerts.minute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalHistory;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Minutes in memory, in slots that are used again, and ahead of them. */
class TotalsHistoryTest {

  private static final int SLOTS = 20;
  private static final int GROUPS = 600;

  private final TestingSignalStore store = new TestingSignalStore();
  private final PackedOutput out = new PackedOutput();

  private TotalsHistory history() {
    return new TotalsHistory(store, SignalHistory.NUMERATOR, MINUTE, SLOTS);
  }

  private TotalsHistory restored(TotalsHistory before) {
    before.write(out);
    out.clear();
    before.packHeader(out);
    TotalsHistory after = history();
    after.unpackHeader(new PackedInput(out.toBytes()));
    return after;
  }

  private static MinuteTotals one(double sum) {
    return MinuteTotals.of(sum, 1, sum, sum, sum, minute(0));
  }

  /** Whatever is written, dropped and restored in between, totals are those of a plain map. */
  @Test
  void totalsAreThoseOfAPlainMap() {
    Random random = new Random(3);
    Map<String, Double> plain = new TreeMap<>();
    TotalsHistory history = history();
    int oldest = 0;
    for (int i = 0; i < 40_000; i++) {
      switch (random.nextInt(60)) {
        case 0 -> history.write(out);
        case 1 -> history.dropBefore(Long.MAX_VALUE);
        case 2 -> history.dropBefore(minute(oldest + random.nextInt(SLOTS)));
        case 3 -> history = restored(history);
        case 4 -> {
          oldest += random.nextInt(3);
          history.needFrom(minute(oldest), 3);
        }
        default -> {
          // Now and then far ahead of what has a slot.
          int at = oldest + random.nextInt(random.nextInt(50) == 0 ? 5 * SLOTS : SLOTS);
          int group = random.nextInt(GROUPS);
          history.add(minute(at), group, one(1));
          plain.merge(at + " " + group, 1.0, Double::sum);
        }
      }
      int asked = oldest + random.nextInt(2 * SLOTS);
      int group = random.nextInt(GROUPS);
      MinuteTotals found = history.get(minute(asked), group);
      assertEquals(plain.get(asked + " " + group), found == null ? null : found.sum());
    }
  }

  @Test
  void aMinuteTakesThePlaceOfOneThatNobodyNeeds() {
    TotalsHistory history = history();
    history.needFrom(minute(0), 1);
    for (int i = 0; i < 1_000; i++) {
      history.add(minute(i), 0, one(i));
      history.write(out);
      history.needFrom(minute(i - 5), 1);
      history.dropBefore(minute(i));
      assertTrue(history.moments() <= 2, () -> history.moments() + " minutes in memory");
    }
    assertEquals(SLOTS, store.pages.size());
    assertEquals(1_000, store.writes);
    assertEquals(0, store.removals);
    assertEquals(0, store.reads);
    assertEquals(997, history.get(minute(997), 0).sum());
    assertEquals(1, store.reads);
  }

  @Test
  void minutesFarAheadGoWhenTheyAreOver() {
    TotalsHistory history = history();
    history.needFrom(minute(0), 1);
    for (int i = 0; i < 200; i++) {
      history.add(minute(i), 0, one(i));
    }
    history.write(out);
    assertEquals(200, store.pages.size());
    TotalsHistory after = restored(history);
    assertEquals(150, after.get(minute(150), 0).sum());
    after.needFrom(minute(190), 1);
    assertTrue(store.pages.size() <= SLOTS + 10, "pages: " + store.pages.size());
    assertEquals(195, after.get(minute(195), 0).sum());
  }

  @Test
  void aLateRowHasOnePageWritten() {
    TotalsHistory history = history();
    history.needFrom(minute(0), 3);
    for (int group = 0; group < GROUPS; group++) {
      history.add(minute(0), group, one(group));
      history.add(minute(1), group, one(group));
    }
    history.write(out);
    assertEquals(6, store.writes);
    history.add(minute(0), 599, one(1));
    history.write(out);
    assertEquals(7, store.writes);
    assertEquals(600, restored(history).get(minute(0), 599).sum());
    assertNull(history.get(minute(2), 0));
  }
}
