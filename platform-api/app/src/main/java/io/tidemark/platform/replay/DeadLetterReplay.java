package io.tidemark.platform.replay;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A replay of dead letters.
 *
 * @param reasons of the vocabulary; none for all
 * @param executedAt null until it is executed
 * @param finishedAt null until it is completed or failed
 * @param ranges what was counted; none until then
 * @param counts none until it is counted
 * @param failure why it failed; null otherwise
 */
public record DeadLetterReplay(
    String id,
    EnvironmentId environment,
    State state,
    List<String> reasons,
    Instant receivedFrom,
    Instant receivedTo,
    Instant createdAt,
    @Nullable Instant executedAt,
    @Nullable Instant finishedAt,
    List<OffsetRange> ranges,
    List<ReplayCount> counts,
    long recordsRead,
    long recordsToRead,
    @Nullable String failure) {

  /** What a replay is doing. */
  public enum State {
    COUNTING,
    COUNTED,
    REPLAYING,
    COMPLETED,
    FAILED;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public DeadLetterReplay {
    reasons = List.copyOf(reasons);
    ranges = List.copyOf(ranges);
    counts = List.copyOf(counts);
  }

  /** What the audit log shows. */
  record Outline(
      String environmentId,
      List<String> reasons,
      String receivedFrom,
      String receivedTo,
      String state,
      @Nullable List<ReplayCount> counts,
      @Nullable String failure) {}

  Outline outline() {
    return new Outline(
        environment.value(),
        reasons,
        receivedFrom.toString(),
        receivedTo.toString(),
        state.wireName(),
        counts.isEmpty() ? null : counts,
        failure);
  }
}
