package io.tidemark.flink.rollup.cardinality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From announcements of several subtasks to one estimate. */
class MeasuredHourTest {

  private static final long HOUR = Duration.ofHours(1).toMillis();

  private static void announce(MetricActivity to, int from, int until, long now) {
    for (int i = from; i < until; i++) {
      SeriesDescriptor series =
          new SeriesDescriptor(
              "org-a",
              "env-a",
              "req",
              MetricKind.GAUGE,
              "",
              Map.of(),
              Map.of("id", "client-" + i, "zone", "" + i % 3));
      to.announced(SeriesKey.of(series), series, now);
    }
  }

  @Test
  void subtasksThatSawPartsAndOverlapsAddUp() {
    MetricActivity left = new MetricActivity(10);
    MetricActivity right = new MetricActivity(10);
    announce(left, 0, 12_000, 0);
    announce(right, 8_000, 20_000, 0);

    MeasuredHour hour = MeasuredHour.orNew(null, 0);
    for (MetricActivity subtask : List.of(left, right)) {
      for (MetricSketch sketch : subtask.take(0)) {
        assertEquals("org-a/env-a/req", sketch.metricKey());
        // Twice the same changes nothing.
        hour = hour.plus(sketch).plus(sketch);
      }
    }

    assertEquals(20_000, (double) hour.activeSeries(), 20_000 * 0.08);
    assertEquals(20_000, hour.distinctValues().get("id").doubleValue(), 20_000 * 0.08);
    assertEquals(3L, hour.distinctValues().get("zone"));
  }

  @Test
  void seriesOfThePreviousHourCountAndThenAreGone() {
    MetricActivity subtask = new MetricActivity(10);
    announce(subtask, 0, 1_000, 0);
    MeasuredHour hour = MeasuredHour.orNew(null, 0).plus(subtask.take(0).get(0));

    MeasuredHour second = hour.turned(1, 500);
    assertEquals(1_000, (double) second.activeSeries(), 80);
    assertEquals(0, second.quietHours());
    MeasuredHour third = second.turned(2, 500);
    assertEquals(0, third.activeSeries());
    assertEquals(1, third.quietHours());
    assertTrue(third.isEmpty());
  }

  @Test
  void smallMetricsHaveNoSketchAndOnlyChangesAreTold() {
    MetricActivity subtask = new MetricActivity(100);
    announce(subtask, 0, 99, 0);
    assertEquals(0, subtask.take(0).size());
    announce(subtask, 99, 200, 0);
    assertEquals(1, subtask.take(HOUR / 2).size());
    assertEquals(0, subtask.take(HOUR - 1).size());
  }

  /** Sketches lie in state: their bytes must mean the same in the next version. */
  @Test
  void hashesDoNotChange() {
    DistinctSketch sketch = DistinctSketch.empty();
    sketch.add("client-1");
    sketch.add(0x0123456789abcdefL);
    assertEquals(DistinctSketch.BYTES, sketch.bytes().length);
    assertEquals(2, DistinctSketch.of(sketch.bytes()).estimate());
    DistinctSketch same = DistinctSketch.of(sketch.bytes());
    same.add("client-1");
    assertEquals(2, same.estimate());
  }
}
