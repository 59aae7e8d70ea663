package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.rollup.RollupLevel;

/**
 * Where a chunk lies in the store: 4 bits of what it holds, 32 bits of window number, 28 bits of
 * chunk number. Part of the contract with stored state.
 */
final class ChunkKey {

  static final int READINGS = 3;
  static final int SERIES = 4;
  static final int REFERENCES = 5;
  static final int NEXT_PANE = 6;

  static final int ROUTES = 12;

  private static final int CHUNK_BITS = 28;
  private static final int WINDOW_BITS = 32;

  private ChunkKey() {}

  static long pane(RollupLevel level, long window, int chunk) {
    return of(level.ordinal(), Math.floorDiv(window, level.lengthMs()), chunk);
  }

  static long readings(long minute, int chunk) {
    return of(READINGS, Math.floorDiv(minute, RollupLevel.MINUTE.lengthMs()), chunk);
  }

  static long of(int kind, long windowNumber, int chunk) {
    return ((long) kind << (CHUNK_BITS + WINDOW_BITS)) | (windowNumber << CHUNK_BITS) | chunk;
  }

  static int kind(long key) {
    return (int) (key >>> (CHUNK_BITS + WINDOW_BITS));
  }

  static long windowNumber(long key) {
    return (key >>> CHUNK_BITS) & ((1L << WINDOW_BITS) - 1);
  }

  static int chunk(long key) {
    return (int) (key & ((1L << CHUNK_BITS) - 1));
  }
}
