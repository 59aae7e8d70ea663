package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingAlerts;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnrecordedTransitionsTest {

  private final UnrecordedTransitions unrecorded = new UnrecordedTransitions();

  private static AlertTransition transition(String organization, String group, long sequence) {
    return TestingAlerts.transition(
        new TenantId(organization), "env-a", "rule-a", group, sequence, Kind.CHANGED);
  }

  @Test
  void laterTransitionsOfAGroupWaitForTheOneThatFailed() {
    unrecorded.begin();

    assertThat(unrecorded.isGivenUpAfter(transition("org-one", "a", 1))).isFalse();

    AlertTransition sameGroup = transition("org-one", "a", 2);
    AlertTransition otherGroup = transition("org-one", "b", 1);
    AlertTransition otherOrganisation = transition("org-other", "a", 2);
    assertThat(unrecorded.ready(List.of(sameGroup, otherGroup, otherOrganisation)))
        .containsExactly(otherGroup, otherOrganisation);
    assertThat(unrecorded.count()).isEqualTo(1);
    unrecorded.begin();
    assertThat(unrecorded.ready(List.of(sameGroup))).containsExactly(sameGroup);
    assertThat(unrecorded.count()).isZero();
  }

  @Test
  void aTransitionIsGivenUpAfterItsLastAttempt() {
    AlertTransition failing = transition("org-one", "a", 1);
    for (int attempt = 1; attempt < UnrecordedTransitions.MAX_ATTEMPTS; attempt++) {
      unrecorded.begin();
      assertThat(unrecorded.isGivenUpAfter(failing)).as("attempt %d", attempt).isFalse();
    }
    unrecorded.begin();

    assertThat(unrecorded.isGivenUpAfter(failing)).isTrue();
    assertThat(unrecorded.ready(List.of(transition("org-one", "a", 2)))).hasSize(1);
    assertThat(unrecorded.count()).isZero();
  }

  @Test
  void attemptsAreCountedAnewOnceAPollSucceeds() {
    AlertTransition failing = transition("org-one", "a", 1);
    for (int attempt = 1; attempt < UnrecordedTransitions.MAX_ATTEMPTS; attempt++) {
      unrecorded.begin();
      unrecorded.isGivenUpAfter(failing);
    }
    unrecorded.begin();
    unrecorded.begin();

    assertThat(unrecorded.isGivenUpAfter(failing)).isFalse();
  }
}
