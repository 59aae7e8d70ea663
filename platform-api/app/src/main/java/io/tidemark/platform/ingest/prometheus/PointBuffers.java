package io.tidemark.platform.ingest.prometheus;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;

/**
 * Room for the points of requests while they are decoded. Used again and again: fresh memory has to
 * be cleared, and lies in no cache. Small series take several times their bytes as parts of an
 * assembly, so few requests are decoded at a time.
 */
final class PointBuffers {

  /** What is larger is not kept. */
  static final int MAX_KEPT = 1 << 20;

  private static final int FIRST_SIZE = 64 * 1024;

  private final Semaphore atATime;
  private final ConcurrentLinkedDeque<ProtobufBytes> free = new ConcurrentLinkedDeque<>();

  PointBuffers(int atATime) {
    this.atATime = new Semaphore(atATime);
  }

  /** An empty buffer, as soon as there may be one more; to be given back. */
  ProtobufBytes take() {
    atATime.acquireUninterruptibly();
    ProtobufBytes used = free.pollFirst();
    if (used == null) {
      return new ProtobufBytes(FIRST_SIZE);
    }
    used.clear();
    return used;
  }

  /** Nothing of the buffer may be used after this. */
  void giveBack(ProtobufBytes buffer) {
    if (buffer.array().length <= MAX_KEPT) {
      free.addFirst(buffer);
    }
    atATime.release();
  }
}
