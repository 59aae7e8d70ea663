package io.tidemark.flink.rollup.orders;

import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.util.ratelimit.GatedRateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimitedSourceReader;

/**
 * Numbers from 0, a few between two checkpoints, so that a short input spans several checkpoints.
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
    return new RateLimitedSourceReader<>(
        super.createReader(context), new GatedRateLimiter<>(perCheckpoint));
  }
}
