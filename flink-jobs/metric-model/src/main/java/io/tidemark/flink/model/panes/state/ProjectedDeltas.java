package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.cumulative.ReadingHistory;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.rollup.MinuteGrid;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * What the waiting readings of cumulative series will add to their minutes, if nothing else comes.
 * Reckoned on a copy of what is remembered of the series, so nothing changes by it.
 */
final class ProjectedDeltas {

  private final KeyGroupPanes panes;
  private final Map<Integer, Map<Long, PaneAggregate>> ofSeries = new HashMap<>();
  private final List<OpenPane> withReadings = new ArrayList<>();
  private boolean knowsReadings;
  private boolean knowsFolded;

  ProjectedDeltas(KeyGroupPanes panes) {
    this.panes = panes;
  }

  /** Readings may have come or gone. */
  void forget() {
    ofSeries.clear();
    withReadings.clear();
    knowsReadings = false;
    knowsFolded = false;
  }

  /** Figures of a minute of a series that is kept apart, only lent; null when there are none. */
  @Nullable PaneAggregate of(SeriesState series, long minute, long now) {
    if (series.hasLast && !hasReadings(series)) {
      return null;
    }
    Map<Long, PaneAggregate> known = ofSeries.get(series.index);
    if (known == null) {
      known = new HashMap<>();
      ofSeries.put(series.index, known);
      foresee(series, known, now);
      if (!series.hasLast && !knowsFolded) {
        knowsFolded = true;
        foreseeFolded(now);
      }
    }
    return known.get(minute);
  }

  /** Of all folded series at once: an overflow series may stand for very many. */
  private void foreseeFolded(long now) {
    Map<Integer, SeriesState> folded = new HashMap<>();
    for (OpenPane pane : minutes()) {
      for (int index : pane.readings.keySet()) {
        SeriesState one = panes.series.at(index);
        if (one.isFolded()) {
          folded.put(index, one);
        }
      }
    }
    for (SeriesState one : folded.values()) {
      foresee(one, ofSeries.computeIfAbsent(one.counted().index, ignored -> new HashMap<>()), now);
    }
  }

  private void foresee(SeriesState series, Map<Long, PaneAggregate> into, long now) {
    ReadingHistory trial = null;
    for (OpenPane pane : minutes()) {
      NavigableMap<Long, PendingReading> waiting = pane.readings.get(series.index);
      if (waiting == null) {
        continue;
      }
      if (trial == null) {
        ReadingHistory used = panes.readings.isExpired(series, now) ? null : series.used;
        trial = used != null ? used.copy() : new ReadingHistory();
      }
      for (Map.Entry<Long, PendingReading> entry : waiting.entrySet()) {
        var unused =
            trial.place(
                series.kind(),
                entry.getKey(),
                entry.getValue().reading(),
                (time, delta) -> add(into, MinuteGrid.minuteOf(time), delta));
      }
    }
  }

  private boolean hasReadings(SeriesState series) {
    for (OpenPane pane : minutes()) {
      if (pane.readings.containsKey(series.index)) {
        return true;
      }
    }
    return false;
  }

  /** Open minutes in which readings wait, ascending. */
  private List<OpenPane> minutes() {
    if (!knowsReadings) {
      knowsReadings = true;
      for (OpenPane pane : panes.open.get(RollupLevel.MINUTE.ordinal()).values()) {
        if (!pane.readings.isEmpty()) {
          withReadings.add(pane);
        }
      }
    }
    return withReadings;
  }

  private static void add(Map<Long, PaneAggregate> into, long minute, Contribution delta) {
    PaneAggregate figures =
        into.computeIfAbsent(minute, ignored -> new PaneAggregate().ofNothing());
    figures.sum = PaneAggregate.added(figures.sum, delta.sum());
    figures.count += delta.count();
    if (delta.distribution() != null) {
      if (figures.distribution == null) {
        figures.distribution = new Distribution();
      }
      figures.distribution.add(delta.distribution());
    }
  }
}
