package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.live.OpenMinuteCells;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.panes.state.KeyGroupPanes;
import io.tidemark.flink.model.panes.state.OpenMinutes;
import io.tidemark.flink.model.panes.state.SeriesState;
import io.tidemark.flink.rollup.RollupMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of open minutes, as many cells per second as are allowed. What is left out is counted,
 * and the next second begins with it.
 */
final class OpenMinuteOutput {

  private final int cellsPerSecond;
  private final LongSupplier clock;
  private final Consumer<LiveRecord> out;
  private final Function<SeriesState, byte[]> row;
  private final Counter sent;
  private final Counter leftOut;
  private @Nullable OpenMinuteCells open;
  private int room;
  private int nextGroup;

  /**
   * @param cellsPerSecond of this subtask
   * @param row what all rows of a series have in common, a JSON object
   */
  OpenMinuteOutput(
      int cellsPerSecond,
      LongSupplier clock,
      Consumer<LiveRecord> out,
      Function<SeriesState, byte[]> row,
      MetricGroup metrics) {
    this.cellsPerSecond = cellsPerSecond;
    this.room = cellsPerSecond;
    this.clock = clock;
    this.out = out;
    this.row = row;
    this.sent = RollupMetrics.counter(metrics, RollupMetrics.LIVE_CELLS);
    this.leftOut = RollupMetrics.counter(metrics, RollupMetrics.LIVE_CELLS_LEFT_OUT);
  }

  /** What the panes of a key group report to. */
  OpenMinutes of(int group) {
    return new Group(group);
  }

  /** Once a second. */
  void second(Map<Integer, KeyGroupPanes> panes) {
    room = cellsPerSecond;
    List<Integer> groups = new ArrayList<>(panes.keySet());
    int first = nextGroup;
    for (int i = 0; i < groups.size(); i++) {
      int place = (first + i) % groups.size();
      if (room > 0) {
        nextGroup = place;
      }
      KeyGroupPanes group = panes.get(groups.get(place));
      if (group != null) {
        group.snapshot(clock.getAsLong());
      }
    }
    flush();
  }

  /** Sends what was begun: nothing waits over a barrier. */
  void flush() {
    if (open != null) {
      out.accept(open.record());
      open = null;
    }
  }

  private final class Group implements OpenMinutes {
    private final int group;

    Group(int group) {
      this.group = group;
    }

    @Override
    public boolean hasRoom() {
      return room > 0;
    }

    @Override
    public void cell(long minute, SeriesState series, PaneAggregate figures, boolean isFirst) {
      room--;
      sent.inc();
      OpenMinuteCells cells = open;
      if (cells == null || !cells.takes(group, minute)) {
        flush();
        cells = new OpenMinuteCells(group, minute, clock.getAsLong());
        open = cells;
      }
      cells.add(series.key(), figures);
      if (isFirst) {
        cells.describe(row.apply(series));
      }
    }

    @Override
    public void leftOut(int cells) {
      leftOut.inc(cells);
    }
  }
}
