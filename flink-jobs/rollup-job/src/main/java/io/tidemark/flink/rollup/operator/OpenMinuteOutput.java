package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.live.OpenMinuteCells;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.panes.state.KeyGroupPanes;
import io.tidemark.flink.model.panes.state.OpenMinutes;
import io.tidemark.flink.model.panes.state.SeriesState;
import io.tidemark.flink.rollup.RollupMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
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
 * and the next second begins with it. While few cells change they go some times a second.
 */
final class OpenMinuteOutput {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final int cellsPerSecond;
  private final LongSupplier clock;
  private final Consumer<LiveRecord> out;
  private final Function<SeriesState, byte[]> row;
  private final Counter sent;
  private final Counter leftOut;
  private final AdaptiveLinger linger = new AdaptiveLinger(SECOND);
  private final BitSet changed = new BitSet();
  private @Nullable OpenMinuteCells open;
  private int room;
  private int nextGroup;
  private boolean isWithinSecond;

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

  /**
   * How many milliseconds from now to {@link #soon}; a second or more: {@link #second} is enough.
   */
  long linger() {
    return linger.millis();
  }

  /** Bundles of the key group came. */
  void changed(int group) {
    changed.set(group);
  }

  /** What changed since, as far as there is room in this second, and it stands for one series. */
  void soon(Map<Integer, KeyGroupPanes> panes) {
    isWithinSecond = true;
    for (int group = changed.nextSetBit(0);
        group >= 0 && room > 0;
        group = changed.nextSetBit(group + 1)) {
      KeyGroupPanes own = panes.get(group);
      if (own != null) {
        own.snapshotSoon(clock.getAsLong());
      }
    }
    isWithinSecond = false;
    changed.clear();
    flush();
  }

  /** Once a second. */
  void second(Map<Integer, KeyGroupPanes> panes) {
    int sentSoon = cellsPerSecond - room;
    room = cellsPerSecond;
    changed.clear();
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
    linger.sent(sentSoon + cellsPerSecond - room);
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
      if (!isWithinSecond) {
        leftOut.inc(cells);
      }
    }
  }
}
