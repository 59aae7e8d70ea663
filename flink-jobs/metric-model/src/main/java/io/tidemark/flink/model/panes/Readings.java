package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.cumulative.ReadingHistory;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.rollup.MinuteGrid;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/**
 * Cumulative readings of one key group. A reading waits until the pane of its minute goes; minutes
 * go in order, so readings become deltas in event order. One that comes later than that finds its
 * place among the last used and corrects the minute of the reading after it.
 */
final class Readings {

  /** How long a silent cumulative series is remembered, on the wall clock. */
  static final Duration REFERENCE_MEMORY = Duration.ofHours(24);

  private final KeyGroupPanes panes;
  private final PaneSink sink;
  private final PaneAggregate figures = new PaneAggregate();

  /** Chunks of references that changed since they were stored. */
  final Set<Integer> dirtyReferences = new HashSet<>();

  Readings(KeyGroupPanes panes, PaneSink sink) {
    this.panes = panes;
    this.sink = sink;
  }

  void hold(OpenPane pane, SeriesState series, long time, PendingReading pending) {
    NavigableMap<Long, PendingReading> waiting = pane.readingsOf(series.index);
    PendingReading other = waiting.get(time);
    if (other == null) {
      waiting.put(time, pending);
      series.uses++;
      pane.touchReadings(series.index);
      panes.readingsChanged(series);
    } else if (other.reading().agreesWith(pending.reading())) {
      sink.repeated();
    } else {
      sink.setAside(
          RejectionReason.CUMULATIVE_OUT_OF_ORDER,
          "Another value of the series has the same time.",
          series,
          time,
          pending);
    }
  }

  /**
   * Turns the waiting readings of a minute into deltas: in its pane, which is still open, and as
   * corrections in later ones.
   */
  void take(long minute, OpenPane pane, long now) {
    for (Map.Entry<Integer, NavigableMap<Long, PendingReading>> waiting :
        pane.readings.entrySet()) {
      SeriesState series = panes.series.at(waiting.getKey());
      expire(series, now);
      for (Map.Entry<Long, PendingReading> entry : waiting.getValue().entrySet()) {
        place(series, entry.getKey(), entry.getValue(), now);
        series.uses--;
      }
      if (series.used != null) {
        series.usedAt = now;
        dirtyReferences.add(series.index / PaneChunk.SIZE);
      }
    }
    pane.readings.clear();
    for (Map.Entry<Integer, Boolean> chunk : pane.readingChunks.entrySet()) {
      panes.removedChunks.add(ChunkKey.readings(minute, chunk.getKey()));
    }
  }

  /** Forgets the reference of a series that was silent for too long. */
  void expire(SeriesState series, long now) {
    if (series.used != null && isExpired(series, now)) {
      series.used = null;
      dirtyReferences.add(series.index / PaneChunk.SIZE);
      panes.readingsChanged(series);
    }
  }

  boolean isExpired(SeriesState series, long now) {
    // Folded series are many and mostly gone for good; nothing but these readings keeps them.
    Duration memory = series.isFolded() ? Combiner.REMEMBERED : REFERENCE_MEMORY;
    return now - series.usedAt > memory.toMillis();
  }

  private void place(SeriesState series, long time, PendingReading pending, long now) {
    ReadingHistory used = series.used == null ? new ReadingHistory() : series.used;
    ReadingHistory.Placing placing =
        used.place(
            series.kind(),
            time,
            pending.reading(),
            (deltaTime, delta) -> add(series, deltaTime, delta, now));
    if (used.size() > 0) {
      series.used = used;
    }
    switch (placing) {
      case COUNTED -> {}
      case BASELINE -> sink.baseline();
      case REPEATED -> sink.repeated();
      case OUT_OF_ORDER ->
          sink.setAside(
              RejectionReason.CUMULATIVE_OUT_OF_ORDER,
              "It is older than the last "
                  + ReadingHistory.MAX
                  + " readings of its series, contradicts one of them, or its start goes back.",
              series,
              time,
              pending);
      case OVERFLOW ->
          sink.setAside(
              RejectionReason.VALUE_NOT_FINITE,
              "The difference to a neighbouring reading is not a finite number.",
              series,
              time,
              pending);
    }
  }

  private void add(SeriesState series, long time, Contribution delta, long now) {
    long minute = MinuteGrid.minuteOf(time);
    figures.of(delta, time);
    panes.addCounted(minute, series, figures, now);
  }
}
