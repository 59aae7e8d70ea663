package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadStepTest {
  private static LoadStep step(int offered, double perSecond, double p95) {
    return new LoadStep(offered, perSecond, 1, p95, 2 * p95, 0, 0, Map.of());
  }

  @Test
  void kneeIsTheLastRateBeforeRequestsWaitForEachOther() {
    LoadStep before = step(4_000, 3_990, 12);
    assertThat(LoadStep.knee(List.of(step(1_000, 1_000, 10), before, step(8_000, 7_900, 900))))
        .contains(before);
  }

  @Test
  void kneeIsTheLastRateThatWasHeld() {
    LoadStep before = step(4_000, 3_990, 12);
    assertThat(LoadStep.knee(List.of(before, step(8_000, 5_000, 13)))).contains(before);
  }

  @Test
  void oneSlowRateBelowOthersIsNoKnee() {
    LoadStep stalled = step(2_000, 2_000, 600);
    LoadStep higher = step(4_000, 4_000, 12);
    assertThat(LoadStep.knee(List.of(step(1_000, 1_000, 10), stalled, higher))).isEmpty();
    assertThat(
            LoadStep.knee(
                List.of(step(1_000, 1_000, 10), stalled, higher, step(8_000, 8_000, 900))))
        .contains(higher);
  }

  @Test
  void noKneeIsSeenBelowIt() {
    assertThat(LoadStep.knee(List.of(step(1_000, 1_000, 10), step(2_000, 2_000, 11)))).isEmpty();
  }
}
