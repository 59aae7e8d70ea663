package io.tidemark.platform.completeness.kafka;

import io.tidemark.platform.completeness.CompletenessProgress;
import io.tidemark.platform.completeness.StoreOffsets;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/** What one store has of the rows, as it said when it was asked last. One thread asks. */
final class StoreProgress {

  /**
   * What can be said of the store's rows.
   *
   * @param taken the offsets that it had read up to
   * @param askedAt by the clock of nanoseconds, before it was asked
   */
  private record ReportedOffsets(
      Optional<CompletenessProgress> progress, Map<TopicPartition, Long> taken, long askedAt) {}

  private record Gap(long from, long to) {}

  private final StoreOffsets offsets;
  private final Optional<Duration> believed;
  private final LongSupplier nanoseconds;
  private final ConfirmedWatermark reached = new ConfirmedWatermark();
  private final Map<TopicPartition, Gap> gaps = new HashMap<>();
  private volatile ReportedOffsets said = new ReportedOffsets(Optional.empty(), Map.of(), 0);

  /**
   * A store that was not asked yet.
   *
   * @param believed for how long what it said counts while it says nothing else; empty for ever
   * @param nanoseconds a clock that only goes on
   */
  StoreProgress(StoreOffsets offsets, Optional<Duration> believed, LongSupplier nanoseconds) {
    this.offsets = offsets;
    this.believed = believed;
    this.nanoseconds = nanoseconds;
  }

  /** Asks the store how far it is; what it said before counts until it has answered. */
  void ask(
      CompletenessProgress stated,
      Supplier<Map<TopicPartition, Long>> ends,
      ConfirmedWatermark.Gap gap) {
    long askedAt = nanoseconds.getAsLong();
    StoreOffsets.StoreState state;
    try {
      state = offsets.now();
    } catch (ProblemException away) {
      saysNothing();
      return;
    }
    if (!state.isWhole()) {
      saysNothing();
      return;
    }
    Map<TopicPartition, Long> taken = new HashMap<>();
    state
        .offsets()
        .forEach(
            (source, ofSource) ->
                ofSource.forEach(
                    (partition, offset) ->
                        taken.put(new TopicPartition(source.topic(), partition), offset)));
    said = new ReportedOffsets(reached.look(stated, ends, taken, gap), taken, askedAt);
  }

  /** Nothing is known of its rows any more. */
  void saysNothing() {
    said = new ReportedOffsets(Optional.empty(), Map.of(), nanoseconds.getAsLong());
  }

  /** Everything that ends at or before this time can be read; empty while that is not known. */
  Optional<Instant> completeUntil(TenantId organization) {
    return known()
        .flatMap(ReportedOffsets::progress)
        .map(progress -> progress.of(organization.value()))
        .filter(time -> time > 0)
        .map(Instant::ofEpochMilli);
  }

  /** What it has of everybody who is not behind, in Unix milliseconds, exclusive. */
  long confirmedUntil() {
    return said.progress().map(CompletenessProgress::completeUntil).orElse(Long.MIN_VALUE);
  }

  /** Offsets of a topic that it has read up to; empty while its progress is not known. */
  Optional<Map<Integer, Long>> taken(String topic) {
    return known()
        .map(
            now -> {
              Map<Integer, Long> ofTopic = new HashMap<>();
              now.taken()
                  .forEach(
                      (partition, offset) -> {
                        if (partition.topic().equals(topic)) {
                          ofTopic.put(partition.partition(), offset);
                        }
                      });
              return ofTopic;
            });
  }

  /** Whether it has said how far it is, so lately that it is believed. */
  boolean isKnown() {
    return known().isPresent();
  }

  private Optional<ReportedOffsets> known() {
    ReportedOffsets now = said;
    boolean isBelieved =
        believed.isEmpty() || nanoseconds.getAsLong() - now.askedAt() < believed.get().toNanos();
    return isBelieved && now.progress().isPresent() ? Optional.of(now) : Optional.empty();
  }

  /** Whether it was found before that no row lies between two offsets. */
  boolean isKnownGap(TopicPartition partition, long from, long to) {
    Gap known = gaps.get(partition);
    return known != null && known.from() <= from && to <= known.to();
  }

  /** Remembers that no row lies between two offsets. */
  void gap(TopicPartition partition, long from, long to) {
    gaps.put(partition, new Gap(from, to));
  }
}
