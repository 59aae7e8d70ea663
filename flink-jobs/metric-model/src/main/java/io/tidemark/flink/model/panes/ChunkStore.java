package io.tidemark.flink.model.panes;

/** Where the chunks of one key group outlive the process. */
public interface ChunkStore {

  void put(long key, byte[] chunk);

  void remove(long key);
}
