package io.tidemark.flink.alert.signal;

import org.jspecify.annotations.Nullable;

/** What is stored of one signal: that of the current key. Pages are named by {@link PageKey}. */
public interface SignalStore {

  /** Null for a signal that is not known. */
  byte @Nullable [] header();

  void putHeader(byte[] header);

  byte @Nullable [] page(long key);

  void putPage(long key, byte[] page);

  void removePage(long key);

  /** Removes all of it. */
  void clear();
}
