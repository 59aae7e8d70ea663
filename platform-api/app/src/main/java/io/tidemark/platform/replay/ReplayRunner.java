package io.tidemark.platform.replay;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Counts and executes replays over the topics. */
public interface ReplayRunner {

  /** What was read and what came of it. */
  record Result(List<OffsetRange> ranges, List<ReplayCount> counts) {}

  /** Is told how far a run is. */
  @FunctionalInterface
  interface Progress {

    /**
     * @throws RuntimeException to end the run
     */
    void records(long read, long toRead);
  }

  /** Reasons that letters have, as in the vocabulary. */
  Set<String> reasons();

  /**
   * Counts; writes nothing.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code conflict} when the selection is too
   *     large, {@code store_unavailable}
   */
  Result count(TenantId organization, DeadLetterReplay replay, Instant now, Progress progress);

  /**
   * Puts back what was counted.
   *
   * @throws ReplayFencedException when another replay took over
   * @throws io.tidemark.platform.shared.ProblemException as {@link #count}
   */
  Result execute(TenantId organization, DeadLetterReplay replay, Instant now, Progress progress);

  /** Another replay writes now. What was committed before is noted; the rest is tried again. */
  final class ReplayFencedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ReplayFencedException(Throwable cause) {
      super("Another replay of dead letters took over", cause);
    }
  }
}
