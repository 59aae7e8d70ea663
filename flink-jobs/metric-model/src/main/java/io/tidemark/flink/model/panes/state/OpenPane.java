package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One window of one key group, as far as it has not been emitted. */
final class OpenPane {

  private final RollupLevel level;
  final long window;
  private final ChunkSizes sizes;
  final boolean isLate;
  final long emitAt;

  /** The watermark has passed it, and its points up to the next barrier still join it. */
  boolean isPassed;

  /** A late minute of which more is on its way: it is stored, and goes with a later barrier. */
  boolean isHeld;

  /** When the last figures came that are held. */
  long heldAt;

  private @Nullable PaneChunk[] chunks = new PaneChunk[1];

  /** Waiting cumulative readings: series index to point time to reading. Of minutes only. */
  final Map<Integer, NavigableMap<Long, PendingReading>> readings = new HashMap<>();

  /** Chunk numbers whose readings changed since they were stored. */
  final Map<Integer, Boolean> readingChunks = new HashMap<>();

  /** Series of which a cell was shown that holds more than is in their chunk. Never stored. */
  final BitSet shown = new BitSet(0);

  /**
   * @param sizes of the key group
   */
  OpenPane(RollupLevel level, long window, boolean isLate, long emitAt, ChunkSizes sizes) {
    this.level = level;
    this.window = window;
    this.sizes = sizes;
    this.isLate = isLate;
    this.emitAt = emitAt;
  }

  /** Late and complete minutes do not outlast a barrier, so they are not stored. */
  boolean goesBeforeBarrier() {
    return isPassed || (isLateMinute() && !isHeld);
  }

  boolean isLateMinute() {
    return isLate && level == RollupLevel.MINUTE;
  }

  int chunkCount() {
    return chunks.length;
  }

  @Nullable PaneChunk chunkOrNull(int number) {
    return number < chunks.length ? chunks[number] : null;
  }

  PaneChunk chunk(int number) {
    if (number >= chunks.length) {
      chunks = Arrays.copyOf(chunks, Math.max(number + 1, chunks.length * 2));
    }
    PaneChunk chunk = chunks[number];
    if (chunk == null) {
      int expected = isLate ? ChunkSizes.FEW : sizes.expected(number);
      chunk = new PaneChunk(ChunkKey.pane(level, window, number), expected);
      chunks[number] = chunk;
    }
    return chunk;
  }

  /** The next window mostly has as many cells. */
  void tellSizes() {
    for (int number = 0; number < chunks.length; number++) {
      PaneChunk chunk = chunks[number];
      sizes.was(number, chunk == null ? 0 : chunk.size());
    }
  }

  /**
   * Its chunks are not stored any more.
   *
   * @return how much waits with it, in cells of numbers
   */
  long passed(ChangedChunks changed) {
    long cells = 0;
    for (PaneChunk chunk : chunks) {
      if (chunk != null) {
        changed.forget(chunk);
        cells += chunk.weight();
      }
    }
    return cells;
  }

  void restore(int number, PaneChunk chunk) {
    chunk(number);
    chunks[number] = chunk;
  }

  NavigableMap<Long, PendingReading> readingsOf(int series) {
    return readings.computeIfAbsent(series, ignored -> new TreeMap<>());
  }

  /** Marks the readings of a series as changed. */
  void touchReadings(int series) {
    readingChunks.put(series / PaneChunk.SIZE, true);
  }
}
