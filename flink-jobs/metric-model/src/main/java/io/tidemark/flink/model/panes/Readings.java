package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.cumulative.CumulativeReference;
import io.tidemark.flink.model.cumulative.CumulativeToDelta;
import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cumulative readings of one key group. A reading waits until the pane of its minute goes; minutes
 * go in order, so readings become deltas in event order.
 */
final class Readings {

  /** How long a silent cumulative series is remembered, on the wall clock. */
  static final Duration REFERENCE_MEMORY = Duration.ofHours(24);

  private final KeyGroupPanes panes;
  private final PaneSink sink;
  private final Figures figures = new Figures();

  /** Chunks of references that changed since they were stored. */
  final Set<Integer> dirtyReferences = new HashSet<>();

  Readings(KeyGroupPanes panes, PaneSink sink) {
    this.panes = panes;
    this.sink = sink;
  }

  void hold(OpenPane pane, RolledSeries series, long time, PendingReading pending) {
    NavigableMap<Long, PendingReading> waiting = pane.readingsOf(series.index);
    PendingReading other = waiting.get(time);
    if (other == null) {
      waiting.put(time, pending);
      series.uses++;
      pane.touchReadings(series.index);
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

  /** Turns the waiting readings of a minute into deltas and adds them to its pane. */
  void take(long minute, OpenPane pane, long now) {
    for (Map.Entry<Integer, NavigableMap<Long, PendingReading>> waiting :
        pane.readings.entrySet()) {
      RolledSeries series = panes.series.at(waiting.getKey());
      expire(series, now);
      for (Map.Entry<Long, PendingReading> entry : waiting.getValue().entrySet()) {
        CumulativeReference next =
            next(series, minute, pane, entry.getKey(), entry.getValue(), now);
        if (next != null) {
          series.reference = next;
        }
        series.uses--;
      }
      if (series.reference != null) {
        series.referenceUsedAt = now;
        dirtyReferences.add(series.index / PaneChunk.SIZE);
      }
    }
    pane.readings.clear();
    for (Map.Entry<Integer, Boolean> chunk : pane.readingChunks.entrySet()) {
      panes.removedChunks.add(ChunkKey.readings(minute, chunk.getKey()));
    }
  }

  /** Forgets the reference of a series that was silent for too long. */
  void expire(RolledSeries series, long now) {
    if (series.reference != null && now - series.referenceUsedAt > REFERENCE_MEMORY.toMillis()) {
      series.reference = null;
      dirtyReferences.add(series.index / PaneChunk.SIZE);
    }
  }

  /** The reference after a reading; null when it stays the same. */
  private @Nullable CumulativeReference next(
      RolledSeries series,
      long minute,
      OpenPane pane,
      long time,
      PendingReading pending,
      long now) {
    CumulativeToDelta.Outcome outcome =
        CumulativeToDelta.next(
            series.reference, series.descriptor().kind(), time, pending.reading());
    if (outcome instanceof CumulativeToDelta.Counted counted) {
      figures.of(counted.contribution(), time);
      panes.add(RollupLevel.MINUTE, minute, pane, series, figures, now);
      return counted.reference();
    }
    if (outcome instanceof CumulativeToDelta.Baseline baseline) {
      sink.baseline();
      return baseline.reference();
    }
    if (outcome instanceof CumulativeToDelta.Repeated) {
      sink.repeated();
    } else if (outcome instanceof CumulativeToDelta.OutOfOrder) {
      sink.setAside(
          RejectionReason.CUMULATIVE_OUT_OF_ORDER,
          "The series was already read up to a later time, or the start time goes back.",
          series,
          time,
          pending);
    } else {
      sink.setAside(
          RejectionReason.VALUE_NOT_FINITE,
          "The difference to the previous reading is not a finite number.",
          series,
          time,
          pending);
    }
    return null;
  }
}
