package io.tidemark.flink.model.panes.state;

import org.jspecify.annotations.Nullable;

/** Chunks of panes that changed since they were stored, the one that changed last first. */
final class ChangedChunks {

  private @Nullable PaneChunk newest;
  private int size;

  int size() {
    return size;
  }

  @Nullable PaneChunk newest() {
    return newest;
  }

  /**
   * @param now of the bundle or watermark that changes it
   */
  void changed(PaneChunk chunk, long now) {
    if (chunk.changedAt != now) {
      chunk.pause = now - chunk.changedAt;
      chunk.changedAt = now;
    }
    if (chunk == newest) {
      return;
    }
    forget(chunk);
    chunk.isChanged = true;
    chunk.older = newest;
    if (newest != null) {
      newest.newer = chunk;
    }
    newest = chunk;
    size++;
  }

  /** It was stored, or is gone. */
  void forget(PaneChunk chunk) {
    if (!chunk.isChanged) {
      return;
    }
    PaneChunk newer = chunk.newer;
    PaneChunk older = chunk.older;
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    if (older != null) {
      older.newer = newer;
    }
    chunk.newer = null;
    chunk.older = null;
    chunk.isChanged = false;
    size--;
  }
}
