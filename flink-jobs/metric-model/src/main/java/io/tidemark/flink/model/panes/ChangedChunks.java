package io.tidemark.flink.model.panes;

import org.jspecify.annotations.Nullable;

/**
 * Chunks of panes that changed since they were stored, the one that changed last first: series are
 * heard of in turns, so it is the one that stays unchanged for longest.
 */
final class ChangedChunks {

  private @Nullable PaneChunk newest;

  void changed(PaneChunk chunk) {
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
  }

  /** The next to be stored; not in here any more. */
  @Nullable PaneChunk take() {
    PaneChunk taken = newest;
    if (taken != null) {
      forget(taken);
    }
    return taken;
  }
}
