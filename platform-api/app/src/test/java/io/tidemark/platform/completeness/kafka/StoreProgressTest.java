package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.completeness.CompletenessProgress;
import io.tidemark.platform.completeness.StoreOffsets.StoreState;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StoreProgressTest {

  private static final TenantId TENANT = new TenantId("org-a");
  private static final String TOPIC = Source.MINUTES.topic();
  private static final CompletenessProgress STATED =
      CompletenessProgress.NOTHING.after(60_000, Map.of());
  private static final Instant UNTIL = Instant.ofEpochMilli(60_000);

  /** Near the end of the range, where a clock of nanoseconds may stand. */
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);

  private Optional<StoreState> state =
      Optional.of(new StoreState(Map.of(Source.MINUTES, Map.of(0, 7L)), true));

  private StoreProgress store(Optional<Duration> believed) {
    return new StoreProgress(
        () ->
            state.orElseThrow(
                () -> ProblemException.of(ErrorCode.STORE_UNAVAILABLE, "It is away.")),
        believed,
        now::get);
  }

  private static void ask(StoreProgress store) {
    store.ask(
        STATED, () -> Map.of(new TopicPartition(TOPIC, 0), 7L), (partition, from, to) -> false);
  }

  @Test
  void whatAStoreSaidCountsForAWhileAndNoLonger() {
    StoreProgress store = store(Optional.of(ProgressConsumer.BELIEVED));
    assertThat(store.completeUntil(TENANT)).isEmpty();
    ask(store);
    now.addAndGet(ProgressConsumer.BELIEVED.toNanos() - 1);
    assertThat(store.completeUntil(TENANT)).contains(UNTIL);
    assertThat(store.taken(TOPIC)).contains(Map.of(0, 7L));
    now.incrementAndGet();
    assertThat(store.completeUntil(TENANT)).isEmpty();
    assertThat(store.taken(TOPIC)).isEmpty();
    ask(store);
    assertThat(store.completeUntil(TENANT)).contains(UNTIL);
  }

  /** A killed indexer is missed after thirty seconds, or when it has started again. */
  @Test
  void noTaskCanDieAndBeginAgainWithinThatWhile() {
    assertThat(ProgressConsumer.BELIEVED).isLessThanOrEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void timeThatTheAnswerTookIsNotBelievedLonger() {
    StoreProgress store = store(Optional.of(Duration.ofSeconds(5)));
    store.ask(
        STATED,
        () -> {
          now.addAndGet(Duration.ofSeconds(5).toNanos());
          return Map.of(new TopicPartition(TOPIC, 0), 7L);
        },
        (partition, from, to) -> false);
    assertThat(store.completeUntil(TENANT)).isEmpty();
  }

  @Test
  void whatIsSaidForGoodCountsForEver() {
    StoreProgress store = store(Optional.empty());
    ask(store);
    now.addAndGet(Duration.ofDays(1).toNanos());
    assertThat(store.completeUntil(TENANT)).contains(UNTIL);
  }

  @Test
  void aStoreThatIsAwayOrNotWholeSaysNothing() {
    StoreProgress store = store(Optional.of(Duration.ofSeconds(5)));
    ask(store);
    Optional<StoreState> whole = state;
    state = Optional.of(new StoreState(whole.get().offsets(), false));
    ask(store);
    assertThat(store.completeUntil(TENANT)).isEmpty();
    assertThat(store.taken(TOPIC)).isEmpty();
    state = whole;
    ask(store);
    assertThat(store.completeUntil(TENANT)).contains(UNTIL);
    state = Optional.empty();
    ask(store);
    assertThat(store.completeUntil(TENANT)).isEmpty();
    // Of a datasource that nothing reads, offsets are missing.
    state = Optional.of(new StoreState(Map.of(), true));
    ask(store);
    assertThat(store.completeUntil(TENANT)).isEmpty();
  }

  @Test
  void gapsAreKnownWithinWhatWasLookedAt() {
    StoreProgress store = store(Optional.empty());
    TopicPartition partition = new TopicPartition(TOPIC, 0);
    assertThat(store.isKnownGap(partition, 3, 5)).isFalse();
    store.gap(partition, 3, 5);
    assertThat(store.isKnownGap(partition, 3, 5)).isTrue();
    assertThat(store.isKnownGap(partition, 4, 5)).isTrue();
    assertThat(store.isKnownGap(partition, 2, 5)).isFalse();
    assertThat(store.isKnownGap(partition, 3, 6)).isFalse();
    assertThat(store.isKnownGap(new TopicPartition(TOPIC, 1), 3, 5)).isFalse();
  }
}
