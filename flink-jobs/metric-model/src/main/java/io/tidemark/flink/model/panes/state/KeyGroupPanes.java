package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.budget.SeriesLedger;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.panes.combine.Combiner;
import io.tidemark.flink.model.rollup.MinuteGrid;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.route.Routes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one key group has open: series, panes of minutes, hours and days, readings that
 * wait for their turn. An emitted minute goes into its hour, an emitted hour into its day; each
 * level emits deltas that add up. Lives in memory; {@link PaneStorage} writes what changed.
 */
public final class KeyGroupPanes {

  private static final long SWEEP_EVERY_MS = 600_000L;

  /** Open windows of a level of a key group at most, and how many of them then stay. */
  static final int MAX_WINDOWS = 1_000;

  private static final int NEWEST_WINDOWS = 64;

  /** More late figures than these at a barrier are a backlog: its minutes come whole soon. */
  static final int BACKLOG = 128;

  /** Of a minute of a backlog the next figures come within this time, if any. */
  static final long PAUSE_MS = 1_500L;

  /** A power of two; in catch-up as many are open as pass between two checkpoints. */
  private static final int MINUTES = 256;

  private static final RollupLevel[] LEVELS = RollupLevel.values();

  final SeriesTable series;
  final SeriesAdmission admission;
  final Readings readings;
  final List<NavigableMap<Long, OpenPane>> open =
      List.of(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  /** Figures of passed minutes, but for those whose readings wait: these have a pane. */
  final LateCells late = new LateCells();

  final ChangedChunks changed = new ChangedChunks();
  final List<Long> removedChunks = new ArrayList<>();

  /** Numbers emitted panes. Starts with the time, so that a job started anew repeats none. */
  long nextPane;

  final Routes routes;

  private final PaneTiming timing;
  private final PaneEmission emission;
  private final BundleReader reader;

  private final ChunkSizes sizes = new ChunkSizes();

  /** Open minutes by the low digits of their number: a way to most of them without a search. */
  private final @Nullable OpenPane[] minutes = new OpenPane[MINUTES];

  private long watermark = Long.MIN_VALUE;

  /** The watermark that came; ahead of the other while complete minutes wait. */
  private long passed = Long.MIN_VALUE;

  private long waitingCells;
  private long nextSweep;

  private @Nullable OpenCells openCells;

  /**
   * @param ledger of the subtask: which series are kept apart
   * @param heads of the subtask: what series have in common
   * @param routes of the subtask: which minutes are split
   * @param origin tells panes of one series apart that come from several key groups; 0 to 255
   */
  public KeyGroupPanes(
      PaneTiming timing,
      PaneSink sink,
      SeriesLedger ledger,
      SeriesHeads heads,
      Routes routes,
      int origin,
      long now) {
    this.series = new SeriesTable(heads);
    this.admission = new SeriesAdmission(series, ledger, sink);
    this.routes = routes;
    this.timing = timing;
    this.emission = new PaneEmission(this, sink, origin);
    this.nextPane = now;
    this.nextSweep = now + SWEEP_EVERY_MS;
    this.readings = new Readings(this, sink);
    this.reader = new BundleReader(this);
  }

  /** After a restart, before anything else: windows up to here were complete. */
  public void startAt(long reached) {
    watermark = reached;
  }

  /** Cells of open minutes go there as well. After everything was restored. */
  public void snapshotsTo(OpenMinutes receiver) {
    openCells = new OpenCells(this, timing, receiver);
  }

  /** Offers what changed in open minutes since it was taken last. */
  public void snapshot(long now) {
    if (openCells != null) {
      openCells.second(now);
    }
  }

  /** The same, but leaves overflow series for later: each stands for very many. */
  public void snapshotSoon(long now) {
    if (openCells != null) {
      openCells.soon(now);
    }
  }

  /** Waiting readings of a series will add something else than before. */
  void readingsChanged(SeriesState one) {
    if (openCells != null) {
      openCells.changed(one);
    }
  }

  /** Whether nothing is open or remembered. */
  public boolean isEmpty() {
    return series.size() == 0;
  }

  /**
   * @throws IllegalStateException when figures come without a known series; starting again heals
   *     that, because senders then announce every series
   */
  public void accept(byte[] bundle, long now) {
    reader.read(bundle, now);
    emitSurplus(now);
  }

  /**
   * The watermark came there. Minutes that it completes stay, for points that come late, until
   * {@link #watermark} follows, which it must before the next barrier: they are not stored.
   */
  public void passes(long newWatermark) {
    passed = newWatermark;
    for (Map.Entry<Long, OpenPane> minute :
        open.get(RollupLevel.MINUTE.ordinal()).descendingMap().entrySet()) {
      OpenPane pane = minute.getValue();
      if (pane.isPassed) {
        break;
      }
      if (!pane.isLate && RollupLevel.MINUTE.lastInstantOf(minute.getKey()) <= passed) {
        pane.isPassed = true;
        waitingCells += pane.passed(changed);
      }
    }
  }

  /** Cells of complete minutes that wait, by their memory: one with buckets counts for several. */
  public long waitingCells() {
    return waitingCells;
  }

  /** Whether so many minutes are open that none should wait any longer. */
  public boolean isCrowded() {
    return open.get(RollupLevel.MINUTE.ordinal()).size() > MAX_WINDOWS / 2;
  }

  /** Emits what the watermark completes. Everything at the end of input. */
  public void watermark(long newWatermark, long now) {
    boolean isEnd = newWatermark == Long.MAX_VALUE;
    for (RollupLevel level : LEVELS) {
      NavigableMap<Long, OpenPane> panes = open.get(level.ordinal());
      do {
        List<Long> complete = new ArrayList<>();
        for (Map.Entry<Long, OpenPane> entry : panes.entrySet()) {
          boolean isComplete =
              !entry.getValue().isLate && level.lastInstantOf(entry.getKey()) <= newWatermark;
          if (isEnd || isComplete) {
            complete.add(entry.getKey());
          }
        }
        if (level == RollupLevel.HOUR && !complete.isEmpty()) {
          emitHeld(now);
          emitLate(now);
        }
        emit(level, complete, PaneSink.Cause.COMPLETE, now);
        // A reading that goes may correct a minute that went before it.
      } while (isEnd && !panes.isEmpty());
      if (isEnd) {
        emitLate(now);
      }
    }
    watermark = newWatermark;
    passed = newWatermark;
    waitingCells = 0;
  }

  /** Emits what has waited long enough on the wall clock, and forgets series without use. */
  public void clock(long now) {
    if (late.isDue(now)) {
      emitLate(now);
    }
    for (RollupLevel level : LEVELS) {
      List<Long> due = new ArrayList<>();
      boolean isLate = true;
      for (Map.Entry<Long, OpenPane> entry : open.get(level.ordinal()).entrySet()) {
        if (entry.getValue().emitAt <= now) {
          due.add(entry.getKey());
          isLate = entry.getValue().isLate;
        }
      }
      emit(level, due, isLate ? PaneSink.Cause.LATE : PaneSink.Cause.OVERDUE, now);
    }
    emitSurplus(now);
    if (now >= nextSweep) {
      nextSweep = now + SWEEP_EVERY_MS;
      sweep(now);
    }
  }

  /**
   * Before a barrier, after {@link #watermark}: emits late minutes. They are small, many and soon
   * over, so they do not get into the store; but those do of which a backlog brings more. Their
   * rows would be two each.
   */
  public void barrierComes(long now) {
    hold(now);
    // A reading that goes may correct another minute.
    for (List<Long> waiting = lateMinutes(); !waiting.isEmpty(); waiting = lateMinutes()) {
      emit(RollupLevel.MINUTE, waiting, PaneSink.Cause.LATE, now);
    }
    emitLate(now);
  }

  /** Whether something would be lost with a restart from a checkpoint that is taken now. */
  boolean hasUnstored() {
    return !late.isEmpty()
        || open.get(RollupLevel.MINUTE.ordinal()).values().stream()
            .anyMatch(OpenPane::goesBeforeBarrier);
  }

  /** Late figures become rows, but for minutes of a backlog of which some came just now. */
  private void hold(long now) {
    boolean isBacklog = late.size() > BACKLOG;
    if (isBacklog) {
      for (LateCells.Minute minute : late.minutes()) {
        if (now - minute.addedAt < PAUSE_MS) {
          pane(RollupLevel.MINUTE, minute.start, now).isHeld = true;
        }
      }
    }
    emitLate(now);
    for (OpenPane pane : open.get(RollupLevel.MINUTE.ordinal()).values()) {
      boolean isFilling = isBacklog && now - pane.heldAt < PAUSE_MS && now < pane.emitAt;
      pane.isHeld = pane.isHeld && isFilling;
    }
  }

  /** The pane in which figures of a late minute stay; null if it is not held. */
  @Nullable OpenPane held(long minute) {
    OpenPane pane = open.get(RollupLevel.MINUTE.ordinal()).get(minute);
    return pane != null && pane.isHeld ? pane : null;
  }

  private void emitHeld(long now) {
    List<Long> minutes = new ArrayList<>();
    for (Map.Entry<Long, OpenPane> minute : open.get(RollupLevel.MINUTE.ordinal()).entrySet()) {
      if (minute.getValue().isHeld) {
        minutes.add(minute.getKey());
      }
    }
    emit(RollupLevel.MINUTE, minutes, PaneSink.Cause.LATE, now);
  }

  private List<Long> lateMinutes() {
    List<Long> minutes = new ArrayList<>();
    for (Map.Entry<Long, OpenPane> minute : open.get(RollupLevel.MINUTE.ordinal()).entrySet()) {
      if (minute.getValue().goesBeforeBarrier() && minute.getValue().isLateMinute()) {
        minutes.add(minute.getKey());
      }
    }
    return minutes;
  }

  OpenPane pane(RollupLevel level, long window, long now) {
    NavigableMap<Long, OpenPane> panes = open.get(level.ordinal());
    OpenPane pane = panes.get(window);
    if (pane == null) {
      boolean isLate = PaneTiming.isLate(level, window, watermark);
      pane = new OpenPane(level, window, isLate, timing.emitAt(level, window, isLate, now), sizes);
      pane.isPassed =
          level == RollupLevel.MINUTE && !isLate && level.lastInstantOf(window) <= passed;
      panes.put(window, pane);
    }
    return pane;
  }

  void add(
      RollupLevel level,
      long window,
      OpenPane pane,
      SeriesState one,
      PaneAggregate figures,
      long now) {
    PaneChunk chunk = pane.chunk(one.index / PaneChunk.SIZE);
    int cell = one.index % PaneChunk.SIZE;
    if (!chunk.has(cell)) {
      one.uses++;
    }
    if (!chunk.add(cell, figures)) {
      emission.cell(level, window, chunk, one, now);
      chunk.set(cell, figures);
    }
    if (!pane.goesBeforeBarrier()) {
      changed.changed(chunk, now);
    }
  }

  /**
   * A sender that writes into every minute of a month, or every hour of years, must not fill the
   * memory: beyond {@link #MAX_WINDOWS} the older windows go out at once. Later points of them are
   * further rows.
   */
  private void emitSurplus(long now) {
    for (RollupLevel level : LEVELS) {
      NavigableMap<Long, OpenPane> panes = open.get(level.ordinal());
      if (panes.size() > MAX_WINDOWS) {
        List<Long> surplus = new ArrayList<>(panes.keySet());
        emit(level, surplus.subList(0, surplus.size() - NEWEST_WINDOWS), PaneSink.Cause.LATE, now);
      }
    }
  }

  /** Adds to a minute of the series that figures of {@code one} count for. */
  void addCounted(long minute, SeriesState one, PaneAggregate figures, long now) {
    SeriesState counted = one.counted();
    if (!counted.hasLast) {
      figures.last = Double.NaN;
      figures.lastTimeUnixNano = 0;
    }
    if (PaneTiming.isLate(RollupLevel.MINUTE, minute, watermark)) {
      addLate(minute, counted, figures, now);
      return;
    }
    OpenPane pane = minutes[place(minute)];
    if (pane == null || pane.window != minute) {
      pane = pane(RollupLevel.MINUTE, minute, now);
      minutes[place(minute)] = pane;
    }
    add(RollupLevel.MINUTE, minute, pane, counted, figures, now);
  }

  private static int place(long minute) {
    return (int) (minute / MinuteGrid.MINUTE_MS) & MINUTES - 1;
  }

  private void addLate(long minute, SeriesState counted, PaneAggregate figures, long now) {
    late.add(minute, counted, figures, timing.emitAt(RollupLevel.MINUTE, minute, true, now), now);
    if (late.isFull()) {
      late.combine();
      if (late.isCrowded()) {
        emitLate(now);
      }
    }
  }

  private void emitLate(long now) {
    if (!late.isEmpty()) {
      emission.emit(late, !routes.isEmpty(), now);
    }
  }

  private void emit(RollupLevel level, List<Long> windows, PaneSink.Cause cause, long now) {
    if (windows.isEmpty()) {
      return;
    }
    NavigableMap<Long, OpenPane> panes = open.get(level.ordinal());
    List<Long> inOrder = windows;
    if (level == RollupLevel.MINUTE) {
      // Readings become deltas in event order: no minute goes before an older one.
      inOrder = new ArrayList<>(panes.headMap(windows.get(windows.size() - 1), true).keySet());
    }
    // Split minutes are added up per minute, so these do not mix.
    boolean goTogether = level != RollupLevel.MINUTE || routes.isEmpty();
    boolean hasLate = false;
    for (long window : inOrder) {
      OpenPane pane = panes.get(window);
      if (pane != null) {
        leaves(level, window, pane, now);
        hasLate |= pane.isLateMinute();
        if (!goTogether) {
          emission.emit(level, cause, now);
        }
      }
    }
    emission.emit(level, cause, now);
    if (hasLate) {
      // What its readings added.
      emitLate(now);
    }
  }

  private void leaves(RollupLevel level, long window, OpenPane pane, long now) {
    OpenCells shown = level == RollupLevel.MINUTE ? openCells : null;
    if (shown != null) {
      shown.closing(window, pane, now);
    }
    readings.take(window, pane, now);
    open.get(level.ordinal()).remove(window);
    if (level == RollupLevel.MINUTE) {
      minutes[place(window)] = null;
      if (!pane.isLate) {
        pane.tellSizes();
      }
    }
    if (shown != null) {
      shown.last(window, pane, now);
    }
    emission.add(level, window, pane, now);
  }

  private void sweep(long now) {
    routes.forget(now);
    List<SeriesState> gone = new ArrayList<>();
    for (SeriesState one : series.all()) {
      if (one == null) {
        continue;
      }
      readings.expire(one, now);
      boolean isForgotten = now - one.seenAt >= Combiner.REMEMBERED.toMillis();
      if (one.uses == 0 && one.used == null && isForgotten) {
        gone.add(one);
        admission.left(one);
      }
    }
    series.remove(gone);
  }
}
