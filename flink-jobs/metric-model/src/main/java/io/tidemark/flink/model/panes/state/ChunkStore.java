package io.tidemark.flink.model.panes.state;

/** Where the chunks of one key group outlive the process. */
public interface ChunkStore {

  void put(long key, byte[] chunk);

  void remove(long key);

  /**
   * Whether a chunk is one of descriptors. They change seldom and are most of what is stored, so a
   * store that merges what it has may want to keep them apart.
   */
  static boolean isOfSeries(long key) {
    return ChunkKey.kind(key) == ChunkKey.SERIES;
  }
}
