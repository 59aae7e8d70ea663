package io.tidemark.platform.ingest.domain;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of request bodies are held at a time. Without the limit, many large batches at
 * once, or a slow Kafka, would exhaust the heap; with it the sender is told to come back.
 */
public final class InFlightByteLimiter {

  private final long limit;
  private final AtomicLong held = new AtomicLong();

  public InFlightByteLimiter(long limit) {
    this.limit = limit;
  }

  /** A holding of nothing yet; to be closed when the request is answered. */
  public Holding hold() {
    return new Holding();
  }

  /** Bytes held now. */
  public long held() {
    return held.get();
  }

  /** What one request holds. Used by one thread at a time. */
  public final class Holding implements AutoCloseable {

    private long bytes;

    private Holding() {}

    /** Holds more; false, and nothing changed, when that would pass the limit. */
    public boolean grow(long more) {
      if (held.addAndGet(more) > limit) {
        held.addAndGet(-more);
        return false;
      }
      bytes += more;
      return true;
    }

    /** Gives everything back; again is harmless. */
    @Override
    public void close() {
      held.addAndGet(-bytes);
      bytes = 0;
    }
  }
}
