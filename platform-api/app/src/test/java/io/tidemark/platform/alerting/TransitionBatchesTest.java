package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.alerting.TransitionBatches.Batch;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingAlerts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransitionBatchesTest {

  private static final TenantId ONE = new TenantId("org-one");
  private static final TenantId OTHER = new TenantId("org-other");

  private static AlertTransition transition(TenantId organization, String incident, long sequence) {
    return TestingAlerts.transition(
        organization, "env-a", "rule-a", incident, sequence, Kind.CHANGED);
  }

  private static List<String> ids(Batch batch) {
    return batch.transitions().stream().map(AlertTransition::id).toList();
  }

  private static List<AlertTransition> burst(int count) {
    List<AlertTransition> polled = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      polled.add(transition(ONE, "inc-" + i % 7, i));
    }
    return polled;
  }

  @Test
  void anEmptyPollHasNoBatches() {
    assertThat(TransitionBatches.of(List.of())).isEmpty();
  }

  @Test
  void transitionsOfAnOrganisationShareABatchInTheOrderOfThePoll() {
    List<Batch> batches =
        TransitionBatches.of(
            List.of(
                transition(ONE, "a", 1),
                transition(OTHER, "a", 1),
                transition(ONE, "b", 1),
                transition(ONE, "a", 2),
                transition(OTHER, "a", 2)));

    assertThat(batches).extracting(Batch::organization).containsExactly(ONE, OTHER);
    assertThat(ids(batches.get(0))).containsExactly("a-1", "b-1", "a-2");
    assertThat(ids(batches.get(1))).containsExactly("a-1", "a-2");
  }

  @Test
  void anIdentifierIsPlannedOnceInItsOrganisation() {
    List<Batch> batches =
        TransitionBatches.of(
            List.of(transition(ONE, "a", 1), transition(ONE, "a", 2), transition(ONE, "a", 1)));

    assertThat(batches).hasSize(1);
    assertThat(ids(batches.get(0))).containsExactly("a-1", "a-2");
  }

  @Test
  void aLongPollIsCutWithoutChangingTheOrderOfAGroup() {
    List<AlertTransition> polled = burst(2 * TransitionBatches.MAX_BATCH_SIZE + 1);

    List<Batch> batches = TransitionBatches.of(polled);

    assertThat(batches)
        .extracting(batch -> batch.transitions().size())
        .containsExactly(TransitionBatches.MAX_BATCH_SIZE, TransitionBatches.MAX_BATCH_SIZE, 1);
    assertThat(batches.stream().flatMap(batch -> batch.transitions().stream()).toList())
        .isEqualTo(polled);
  }

  @Test
  void halvesHaveTheSameTransitionsInTheSameOrder() {
    Batch batch = new Batch(ONE, burst(5));

    List<Batch> halves = batch.halves();

    assertThat(halves).extracting(half -> half.transitions().size()).containsExactly(2, 3);
    assertThat(halves.stream().flatMap(half -> half.transitions().stream()).toList())
        .isEqualTo(batch.transitions());
    assertThat(batch.isSingle()).isFalse();
    assertThat(new Batch(ONE, burst(1)).isSingle()).isTrue();
  }
}
