package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.route.RouteInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Windows of one level of a key group on their way out. Several go together, rows of one series
 * after each other: they mostly have the same text, so writing and compressing them costs little.
 * Series go in the order in which Druid sorts their rows, so that it has little to sort.
 */
final class PaneEmission {

  private static final int ORIGIN_BITS = 8;

  private final KeyGroupPanes panes;
  private final PaneSink sink;
  private final int origin;
  private final List<PaneAggregate> outgoing =
      List.of(new PaneAggregate(), new PaneAggregate(), new PaneAggregate());

  /** Not among the outgoing: what is held may overflow while they are added to it, and goes out. */
  private final PaneAggregate lateFigures = new PaneAggregate();

  private final List<Leaving> leaving = new ArrayList<>();

  // Of one emission: rank above, index below.
  private long[] order = new long[2 * PaneChunk.SIZE];

  /**
   * @param origin tells panes of one series apart that come from several key groups; 0 to 255
   */
  PaneEmission(KeyGroupPanes panes, PaneSink sink, int origin) {
    this.panes = panes;
    this.sink = sink;
    this.origin = origin;
  }

  /** A window that goes. */
  private static final class Leaving {
    private final long window;
    private final OpenPane pane;
    private final long number;
    private final @Nullable OpenPane coarser;
    private final LateCount told = new LateCount();

    Leaving(long window, OpenPane pane, long number, @Nullable OpenPane coarser) {
      this.window = window;
      this.pane = pane;
      this.number = number;
      this.coarser = coarser;
    }
  }

  /** A window goes with the next {@link #emit}. It is not among the open ones any more. */
  void add(RollupLevel level, long window, OpenPane pane, long now) {
    leaving.add(new Leaving(window, pane, number(), coarser(level, window, now)));
  }

  /** Emits what was added, all of one level. */
  void emit(RollupLevel level, PaneSink.Cause cause, long now) {
    int chunkCount = 0;
    for (Leaving one : leaving) {
      chunkCount = Math.max(chunkCount, one.pane.chunkCount());
    }
    int found = arrangedSeries(chunkCount);
    int rows = 0;
    for (int i = 0; i < found; i++) {
      SeriesState series = panes.series.at((int) order[i]);
      int part = series.index / PaneChunk.SIZE;
      int place = series.index % PaneChunk.SIZE;
      for (Leaving one : leaving) {
        PaneChunk chunk = one.pane.chunkOrNull(part);
        if (chunk != null && chunk.has(place)) {
          row(level, one, chunk, series, now);
          rows++;
        }
      }
    }
    for (Leaving one : leaving) {
      forget(one.pane);
      one.told.tell(level, one.window, sink);
    }
    leaving.clear();
    sink.emitted(cause, level, rows);
  }

  /** Which series have figures in what leaves, by rank: their number, and they in the order. */
  private int arrangedSeries(int chunkCount) {
    panes.series.arrange();
    int found = 0;
    for (int part = 0; part < chunkCount; part++) {
      long present = 0;
      for (Leaving one : leaving) {
        PaneChunk chunk = one.pane.chunkOrNull(part);
        present |= chunk == null ? 0 : chunk.present();
      }
      if (found + PaneChunk.SIZE > order.length) {
        order = Arrays.copyOf(order, 2 * order.length);
      }
      for (long rest = present; rest != 0; rest &= rest - 1) {
        int index = part * PaneChunk.SIZE + Long.numberOfTrailingZeros(rest);
        order[found++] = (long) panes.series.at(index).rank << Integer.SIZE | index;
      }
    }
    Arrays.sort(order, 0, found);
    return found;
  }

  private void forget(OpenPane pane) {
    for (int part = 0; part < pane.chunkCount(); part++) {
      PaneChunk chunk = pane.chunkOrNull(part);
      if (chunk != null) {
        panes.changed.forget(chunk);
        if (chunk.isStored) {
          panes.removedChunks.add(chunk.key);
        }
      }
    }
  }

  /**
   * Emits all late cells; those of minutes that are held join them.
   *
   * @param isByMinute minutes do not mix, as those of split metrics must not
   */
  void emit(LateCells late, boolean isByMinute, long now) {
    for (LateCells.Minute minute : late.minutes()) {
      minute.held = panes.held(minute.start);
      minute.hour = minute.held == null ? coarser(RollupLevel.MINUTE, minute.start, now) : null;
    }
    panes.series.arrange();
    late.sort(isByMinute);
    // A series has one row of a minute in all of them, so one number will do.
    long number = number();
    int rows = 0;
    while (late.next(lateFigures)) {
      LateCells.Minute minute = late.minute();
      SeriesState series = late.series();
      if (minute.held != null) {
        minute.held.heldAt = minute.addedAt;
        panes.add(RollupLevel.MINUTE, minute.start, minute.held, series, lateFigures, now);
        continue;
      }
      if (late.isContinued()) {
        number = number();
      }
      rows++;
      cell(RollupLevel.MINUTE, minute.start, minute.hour, lateFigures, series, number, now);
      minute.told.row(
          RollupLevel.MINUTE, minute.start, series.organizationId(), series.metric(), sink);
    }
    for (LateCells.Minute minute : late.minutes()) {
      minute.told.tell(RollupLevel.MINUTE, minute.start, sink);
    }
    late.clear();
    sink.emitted(PaneSink.Cause.LATE, RollupLevel.MINUTE, rows);
  }

  /** Beyond the range of a double: what is there goes out, and the rest is another row. */
  void cell(RollupLevel level, long window, PaneChunk chunk, SeriesState series, long now) {
    PaneAggregate figures = read(level, chunk, series);
    cell(level, window, coarser(level, window, now), figures, series, number(), now);
  }

  private void row(RollupLevel level, Leaving of, PaneChunk chunk, SeriesState series, long now) {
    PaneAggregate figures = read(level, chunk, series);
    cell(level, of.window, of.coarser, figures, series, of.number, now);
    if (of.pane.isLate) {
      of.told.row(level, of.window, series.organizationId(), series.metric(), sink);
    }
    series.uses--;
  }

  private void cell(
      RollupLevel level,
      long window,
      @Nullable OpenPane next,
      PaneAggregate figures,
      SeriesState series,
      long number,
      long now) {
    RouteInterval split = level == RollupLevel.MINUTE ? series.splitAt(window, panes.routes) : null;
    if (split != null) {
      sink.split(window, series, figures, number, split);
      return;
    }
    sink.row(level, window, series, figures, number);
    if (next != null) {
      RollupLevel coarser = level.coarser();
      panes.add(coarser, coarser.windowOf(window), next, series, figures, now);
    }
  }

  private PaneAggregate read(RollupLevel level, PaneChunk chunk, SeriesState series) {
    PaneAggregate figures = outgoing.get(level.ordinal());
    chunk.read(series.index % PaneChunk.SIZE, figures);
    return figures;
  }

  private @Nullable OpenPane coarser(RollupLevel level, long window, long now) {
    return level.isCoarsest()
        ? null
        : panes.pane(level.coarser(), level.coarser().windowOf(window), now);
  }

  private long number() {
    return (panes.nextPane++ << ORIGIN_BITS) | origin;
  }
}
