package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.completeness.CompletenessProgress;
import io.tidemark.platform.completeness.PlacedOffsets;
import io.tidemark.platform.completeness.StoreOffsets.StoreState;
import io.tidemark.platform.druid.DatasourcePlacement;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** How complete an organisation's rows are that are in datasources of its own. */
class PlacedProgressTest {

  private static final TenantId LARGE = new TenantId("org-large");
  private static final Instant FROM = Instant.ofEpochMilli(86_400_000);
  private static final Instant STATED = FROM.plusSeconds(600);
  private static final DatasourcePlacement PLACEMENT =
      new DatasourcePlacement(LARGE, "large", FROM);

  private long read = 7;
  private boolean isKnown = true;

  private final PlacedProgress progress =
      new PlacedProgress(
          new PlacedOffsets(
              () -> {
                if (!isKnown) {
                  throw ProblemException.of(ErrorCode.STORE_UNAVAILABLE, "away");
                }
                return List.of(PLACEMENT);
              },
              placement -> () -> new StoreState(Map.of(Source.MINUTES, Map.of(0, read)), true)),
          Duration.ofSeconds(5),
          () -> 0);

  private void ask() {
    CompletenessProgress stated =
        CompletenessProgress.NOTHING.after(STATED.toEpochMilli(), Map.of());
    progress.ask(
        store ->
            store.ask(
                stated,
                () -> Map.of(new TopicPartition(Source.MINUTES.topic(), 0), 7L),
                (partition, from, to) -> false));
  }

  private Optional<Instant> complete() {
    return progress.completeUntil(LARGE, Optional.of(STATED));
  }

  @Test
  void bothMustHaveReadWhatIsAfterThePlacement() {
    assertThat(complete()).as("own ones were not asked").contains(FROM);
    read = 6;
    ask();
    assertThat(complete()).as("own ones are behind").contains(FROM);
    read = 7;
    ask();
    assertThat(complete()).contains(STATED);
    assertThat(progress.completeUntil(LARGE, Optional.empty())).as("shared unknown").isEmpty();
    progress.saysNothing();
    assertThat(complete()).contains(FROM);
  }

  @Test
  void allAreAsFarAsTheLastOfTheDatasources() {
    long stated = STATED.toEpochMilli();
    assertThat(progress.confirmedUntil(stated)).as("not asked").isEqualTo(FROM.toEpochMilli());
    ask();
    assertThat(progress.confirmedUntil(stated)).isEqualTo(stated);
    progress.saysNothing();
    assertThat(progress.confirmedUntil(stated)).isEqualTo(FROM.toEpochMilli());
    assertThat(progress.confirmedUntil(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    isKnown = false;
    assertThat(progress.confirmedUntil(stated)).as("of whom?").isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void whatIsBeforeThePlacementDoesNotWaitForOwnDatasources() {
    Instant before = FROM.minusSeconds(1);
    assertThat(progress.completeUntil(LARGE, Optional.of(before))).contains(before);
  }

  @Test
  void othersDoNotWaitForThem() {
    assertThat(progress.completeUntil(new TenantId("org-other"), Optional.of(STATED)))
        .contains(STATED);
  }

  @Test
  void whileItIsNotKnownWhoHasSomeNobodyIsComplete() {
    isKnown = false;
    assertThat(complete()).isEmpty();
    assertThat(progress.completeUntil(new TenantId("org-other"), Optional.of(STATED))).isEmpty();
  }

  @Test
  void theSlowerOfBothCounts() {
    assertThat(PlacedProgress.earliest(STATED, FROM, Optional.of(STATED.plusSeconds(1))))
        .isEqualTo(STATED);
    assertThat(PlacedProgress.earliest(STATED, FROM, Optional.of(STATED.minusSeconds(1))))
        .isEqualTo(STATED.minusSeconds(1));
    assertThat(PlacedProgress.earliest(STATED, FROM, Optional.of(FROM.minusSeconds(1))))
        .isEqualTo(FROM);
  }
}
