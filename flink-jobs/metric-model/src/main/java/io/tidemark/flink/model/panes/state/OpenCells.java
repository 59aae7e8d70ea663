package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Offers what changed in open minutes as absolute cells: what lies in the pane, and what waiting
 * readings will add to it.
 */
final class OpenCells {

  private final KeyGroupPanes panes;
  private final PaneTiming timing;
  private final OpenMinutes receiver;
  private final ProjectedDeltas foreseen;
  private final PaneAggregate cell = new PaneAggregate();
  private final Distribution buckets = new Distribution();

  /** Series whose waiting readings, or those of series folded into them, are not shown yet. */
  private final BitSet changed = new BitSet();

  /** Series of the minute that goes whose last cell is shown already. */
  private final BitSet shown = new BitSet();

  private int next;
  private boolean isReadingsFirst;
  private boolean isSoon;

  OpenCells(KeyGroupPanes panes, PaneTiming timing, OpenMinutes receiver) {
    this.panes = panes;
    this.timing = timing;
    this.receiver = receiver;
    this.foreseen = new ProjectedDeltas(panes);
    for (OpenPane pane : minutes().values()) {
      for (int index : pane.readings.keySet()) {
        changed(panes.series.at(index));
      }
    }
  }

  /** A waiting reading came, or will be used otherwise than was foreseen. */
  void changed(SeriesState series) {
    changed.set(series.counted().index);
  }

  /**
   * Offers what changed since the last call, but of overflow series: one may stand for very many.
   */
  void soon(long now) {
    isSoon = true;
    offer(now);
    isSoon = false;
  }

  /** Offers what changed since the last call. */
  void second(long now) {
    offer(now);
  }

  private void offer(long now) {
    foreseen.forget();
    isReadingsFirst = !isReadingsFirst;
    if (isReadingsFirst) {
      showReadings(now);
    }
    for (Map.Entry<Long, OpenPane> entry : minutes().entrySet()) {
      OpenPane pane = entry.getValue();
      if (isShown(entry.getKey(), pane, now)) {
        showChunks(entry.getKey(), pane, now);
      }
    }
    if (!isReadingsFirst) {
      showReadings(now);
    }
  }

  /** Before the readings of a minute that goes are used. */
  void closing(long minute, OpenPane pane, long now) {
    shown.clear();
    if (!isShown(minute, pane, now)) {
      return;
    }
    for (int index : pane.readings.keySet()) {
      SeriesState one = panes.series.at(index);
      PaneChunk chunk = pane.chunkOrNull(index / PaneChunk.SIZE);
      boolean isNewer = chunk != null && chunk.isUnseen(index % PaneChunk.SIZE);
      if (!one.isFolded() && pane.shown.get(index) && !changed.get(index) && !isNewer) {
        shown.set(index);
      }
    }
  }

  /** Afterwards: the last cells of the minute, which are its rows. */
  void last(long minute, OpenPane pane, long now) {
    if (!isShown(minute, pane, now)) {
      return;
    }
    foreseen.forget();
    shown.andNot(changed);
    for (int index = shown.nextSetBit(0); index >= 0; index = shown.nextSetBit(index + 1)) {
      PaneChunk chunk = pane.chunkOrNull(index / PaneChunk.SIZE);
      if (chunk != null && chunk.has(index % PaneChunk.SIZE)) {
        chunk.markSeen(index % PaneChunk.SIZE);
      }
    }
    showChunks(minute, pane, now);
    // What was foreseen, and did not come. Of folded series some may count for themselves by now.
    BitSet all = pane.shown;
    for (int index = all.nextSetBit(0); index >= 0; index = all.nextSetBit(index + 1)) {
      SeriesState one = panes.series.at(index);
      PaneChunk chunk = pane.chunkOrNull(index / PaneChunk.SIZE);
      if (chunk == null || !chunk.has(index % PaneChunk.SIZE) || !one.hasLast) {
        show(minute, pane, one, now);
      }
    }
  }

  private NavigableMap<Long, OpenPane> minutes() {
    return panes.open.get(RollupLevel.MINUTE.ordinal());
  }

  private boolean isShown(long minute, OpenPane pane, long now) {
    return !pane.isLate && timing.isWhole(minute, now);
  }

  /** All open minutes of series with changed readings: one reading may change two minutes. */
  private void showReadings(long now) {
    int left = changed.cardinality();
    for (; left > 0 && receiver.hasRoom(); left--) {
      int index = changed.nextSetBit(next);
      index = index < 0 ? changed.nextSetBit(0) : index;
      next = index + 1;
      SeriesState one = seriesOrNull(index);
      if (one != null && isLeftForLater(one)) {
        continue;
      }
      changed.clear(index);
      if (one != null) {
        for (Map.Entry<Long, OpenPane> entry : minutes().entrySet()) {
          OpenPane pane = entry.getValue();
          if (isShown(entry.getKey(), pane, now)) {
            showIfAny(entry.getKey(), pane, one, now);
          }
        }
      }
    }
    if (left > 0) {
      receiver.leftOut(left);
    }
  }

  private void showIfAny(long minute, OpenPane pane, SeriesState one, long now) {
    PaneChunk chunk = pane.chunkOrNull(one.index / PaneChunk.SIZE);
    if ((chunk != null && chunk.has(one.index % PaneChunk.SIZE))
        || pane.shown.get(one.index)
        || foreseen.of(one, minute, now) != null) {
      show(minute, pane, one, now);
    }
  }

  private void showChunks(long minute, OpenPane pane, long now) {
    for (int part = 0; part < pane.chunkCount(); part++) {
      PaneChunk chunk = pane.chunkOrNull(part);
      if (chunk != null) {
        for (long rest = chunk.unseen(); rest != 0; rest &= rest - 1) {
          if (!receiver.hasRoom()) {
            receiver.leftOut(Long.bitCount(rest));
            break;
          }
          int index = part * PaneChunk.SIZE + Long.numberOfTrailingZeros(rest);
          SeriesState one = panes.series.at(index);
          if (!isLeftForLater(one)) {
            show(minute, pane, one, now);
          }
        }
      }
    }
  }

  private boolean isLeftForLater(SeriesState one) {
    return isSoon && !one.hasLast;
  }

  private void show(long minute, OpenPane pane, SeriesState one, long now) {
    int place = one.index % PaneChunk.SIZE;
    PaneChunk chunk = pane.chunkOrNull(one.index / PaneChunk.SIZE);
    boolean isFirst = !pane.shown.get(one.index);
    if (chunk != null && chunk.has(place)) {
      chunk.read(place, cell);
      isFirst &= chunk.isNew(place);
      chunk.markSeen(place);
    } else {
      cell.ofNothing();
    }
    PaneAggregate more = foreseen.of(one, minute, now);
    if (more != null) {
      add(more);
    }
    if (chunk == null || !chunk.has(place) || more != null) {
      pane.shown.set(one.index);
    }
    receiver.cell(minute, one, cell, isFirst);
  }

  private void add(PaneAggregate more) {
    double sum = PaneAggregate.added(cell.sum, more.sum);
    if (Double.isInfinite(sum)) {
      return;
    }
    cell.sum = sum;
    cell.count += more.count;
    if (more.distribution != null) {
      buckets.clear();
      if (cell.distribution != null) {
        buckets.add(cell.distribution);
      }
      buckets.add(more.distribution);
      cell.distribution = buckets;
    }
  }

  /** A series that went after its reading did has no place any more. */
  private @Nullable SeriesState seriesOrNull(int index) {
    List<@Nullable SeriesState> chunk = panes.series.ofChunk(index / PaneChunk.SIZE);
    int place = index % PaneChunk.SIZE;
    return place < chunk.size() ? chunk.get(place) : null;
  }
}
