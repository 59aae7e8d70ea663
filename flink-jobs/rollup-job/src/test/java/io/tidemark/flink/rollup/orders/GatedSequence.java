package io.tidemark.flink.rollup.orders;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimitedSourceReader;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;

/**
 * Numbers from 0, once control records, if there are any, are in force; then a few between two
 * checkpoints, so that a short input spans several checkpoints.
 */
public final class GatedSequence extends NumberSequenceSource {
  private static final long serialVersionUID = 1L;

  private final int perCheckpoint;

  public GatedSequence(int size, int perCheckpoint) {
    super(0, size - 1L);
    this.perCheckpoint = perCheckpoint;
  }

  @Override
  public SourceReader<Long, NumberSequenceSplit> createReader(SourceReaderContext context) {
    return new RateLimitedSourceReader<>(super.createReader(context), new Gate(perCheckpoint));
  }

  /** Once open, it lets so many pass until the next checkpoint is complete. Of one thread. */
  private static final class Gate implements RateLimiter<NumberSequenceSplit> {
    private final int perCheckpoint;
    private int left;
    private CompletableFuture<Void> opens = new CompletableFuture<>();

    Gate(int perCheckpoint) {
      this.perCheckpoint = perCheckpoint;
      if (ControlScript.isInForce()) {
        left = perCheckpoint;
        opens.complete(null);
      }
    }

    @Override
    public CompletionStage<Void> acquire(int numbers) {
      if (left <= 0) {
        opens = new CompletableFuture<>();
      }
      return opens.thenRun(() -> left -= numbers);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      if (ControlScript.isInForce()) {
        left = perCheckpoint;
        opens.complete(null);
      }
    }
  }
}
