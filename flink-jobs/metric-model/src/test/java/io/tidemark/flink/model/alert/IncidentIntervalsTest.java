package io.tidemark.flink.model.alert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.model.alert.IncidentIntervals.Change;
import io.tidemark.flink.model.alert.IncidentIntervals.Interval;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IncidentIntervalsTest {
  private static final long MINUTE = MinuteTotals.MINUTE_MS;

  private final Map<Long, Long> keys = new HashMap<>();

  private static Interval incident(long key, int start, int end) {
    return new Interval(key, start * MINUTE, end * MINUTE);
  }

  private List<Change> changes(List<Interval> old, List<Interval> decided) {
    return IncidentIntervals.changes(old, decided, start -> start + 7, keys);
  }

  @Test
  void anIncidentThatBeganLaterOnceAndOneThatBeginsThereNowKeepTheirOwnKeys() {
    Interval first = incident(20 * MINUTE, 12, 17);
    Interval second = incident(20 * MINUTE + 7, 20, 33);
    List<Change> changes =
        changes(List.of(first, second), List.of(first, incident(20 * MINUTE, 20, 34)));
    assertEquals(
        List.of(new Change(first, first), new Change(second, incident(20 * MINUTE + 7, 20, 34))),
        changes);
    assertEquals(Map.of(12 * MINUTE, 20 * MINUTE, 20 * MINUTE, 20 * MINUTE + 7), keys);
  }

  @Test
  void anIncidentThatLateRowsShowHasAKeyThatNoneHad() {
    assertEquals(
        List.of(new Change(null, incident(20 * MINUTE + 7, 20, 22))),
        changes(List.of(), List.of(incident(20 * MINUTE, 20, 22))));
    assertEquals(Map.of(20 * MINUTE, 20 * MINUTE + 7), keys);
  }

  @Test
  void incidentsThatBecomeOneKeepTheKeyOfTheFirst() {
    Interval first = incident(12 * MINUTE, 12, 17);
    Interval second = incident(20 * MINUTE, 20, 33);
    assertEquals(
        List.of(new Change(second, null), new Change(first, incident(12 * MINUTE, 12, 33))),
        changes(List.of(first, second), List.of(incident(12 * MINUTE, 12, 33))));
  }
}
