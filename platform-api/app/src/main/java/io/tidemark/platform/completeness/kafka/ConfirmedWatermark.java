package io.tidemark.platform.completeness.kafka;

import io.tidemark.platform.completeness.CompletenessProgress;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The newest statement whose rows the store has taken from Kafka. A statement may be used once the
 * store has read up to where the topics of rows ended after the statement was read.
 */
final class ConfirmedWatermark {

  /** Whether nothing that is to be read lies between two offsets. */
  @FunctionalInterface
  interface Gap {
    boolean isEmpty(TopicPartition partition, long from, long to);
  }

  private record PendingWatermark(CompletenessProgress statement, Map<TopicPartition, Long> ends) {}

  private @Nullable PendingWatermark pending;
  private PendingWatermark reached = new PendingWatermark(CompletenessProgress.NOTHING, Map.of());

  /**
   * Looks again.
   *
   * @param ends where the topics end now; asked after the statement was read
   * @param taken offsets that the store has read up to
   * @return empty when the store has fallen behind what it once had, as when a task starts again
   */
  Optional<CompletenessProgress> look(
      CompletenessProgress stated,
      Supplier<Map<TopicPartition, Long>> ends,
      Map<TopicPartition, Long> taken,
      Gap gap) {
    if (pending == null && !stated.equals(reached.statement())) {
      pending = new PendingWatermark(stated, ends.get());
    }
    if (pending != null && has(pending, taken, gap)) {
      reached = pending;
      pending = null;
      return Optional.of(reached.statement());
    }
    return has(reached, taken, gap) ? Optional.of(reached.statement()) : Optional.empty();
  }

  private static boolean has(PendingWatermark waiting, Map<TopicPartition, Long> taken, Gap gap) {
    return waiting.ends().entrySet().stream()
        .allMatch(
            end -> {
              Long read = taken.get(end.getKey());
              return read != null
                  && (read >= end.getValue() || gap.isEmpty(end.getKey(), read, end.getValue()));
            });
  }
}
