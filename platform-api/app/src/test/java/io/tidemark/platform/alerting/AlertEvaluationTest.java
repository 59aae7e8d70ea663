package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertEvaluation.Decided;
import io.tidemark.platform.alerting.AlertEvaluation.Groups;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A rule is blind while nobody knows whether its minutes are complete. */
class AlertEvaluationTest {

  private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");
  private static final Groups GROUPS = new Groups(Map.of("firing", 2L), NOW);

  private static final Decided UNKNOWN = new Decided(false, Optional.empty(), NOW);

  private static AlertEvaluation behind(Duration behind) {
    return AlertEvaluation.of(Optional.of(NOW.minus(behind)), UNKNOWN, GROUPS, NOW);
  }

  /** Of a rule of an hour ago, when rows are complete. */
  private static AlertEvaluation decided(RuleEvaluation evaluation) {
    return AlertEvaluation.of(
        Optional.of(NOW),
        new Decided(true, Optional.ofNullable(evaluation), NOW.minusSeconds(3_600)),
        GROUPS,
        NOW);
  }

  @Test
  void itSeesAsLongAsThePipelineIsAsFastAsUsual() {
    assertThat(behind(Duration.ofMinutes(1)).isBlind()).isFalse();
    assertThat(behind(AlertEvaluation.BLIND_AFTER).isBlind()).isFalse();
    assertThat(behind(Duration.ofSeconds(-5)).behind()).isEqualTo(Duration.ZERO);
  }

  @Test
  void itIsBlindAndSaysWhyWhenThePipelineStandsOrIsSilent() {
    AlertEvaluation standing = behind(AlertEvaluation.BLIND_AFTER.plusSeconds(1));
    assertThat(standing.isBlind()).isTrue();
    assertThat(standing.reason()).contains("2026-11-23T09:54:59Z");

    AlertEvaluation silent = AlertEvaluation.of(Optional.empty(), UNKNOWN, GROUPS, NOW);
    assertThat(silent.isBlind()).isTrue();
    assertThat(silent.completeUntil()).isNull();
    assertThat(silent.groups()).containsEntry("firing", 2L);
  }

  @Test
  void itIsBlindWhenTheAlertJobStandsAlone() {
    AlertEvaluation works = decided(new RuleEvaluation(1, NOW.minusSeconds(60), 7, false));
    assertThat(works.isBlind()).isFalse();
    assertThat(works.groupsSeen()).isEqualTo(7);

    AlertEvaluation stands = decided(new RuleEvaluation(1, NOW.minusSeconds(301), 7, false));
    assertThat(stands.reason()).contains("2026-11-23T09:54:59Z", "job");
    AlertEvaluation behind = decided(new RuleEvaluation(1, NOW.minusSeconds(301), 7, true));
    assertThat(behind.reason()).contains("2026-11-23T09:54:59Z", "organisation");
    assertThat(decided(null).reason()).contains("has not said that it decides this rule");
  }

  /** A metric or label that is misspelt must not look like health. */
  @Test
  void aRuleThatNoRowFitsSaysSo() {
    AlertEvaluation empty = decided(new RuleEvaluation(1, NOW.minusSeconds(60), 0, false));
    assertThat(empty.isBlind()).isFalse();
    assertThat(empty.isWithoutRows()).isTrue();
    assertThat(empty.reason()).contains("condition.metric", "condition.matchers");

    assertThat(decided(new RuleEvaluation(1, NOW.minusSeconds(60), 1, false)).isWithoutRows())
        .isFalse();
    AlertEvaluation stands = decided(new RuleEvaluation(1, NOW.minusSeconds(301), 0, false));
    assertThat(stands.isBlind()).as("blind comes first").isTrue();
    assertThat(stands.isWithoutRows()).isFalse();
    Decided fresh =
        new Decided(
            true,
            Optional.of(new RuleEvaluation(1, NOW.minusSeconds(60), 0, false)),
            NOW.minusSeconds(120));
    assertThat(AlertEvaluation.of(Optional.of(NOW), fresh, GROUPS, NOW).isWithoutRows()).isFalse();
  }

  @Test
  void aRuleThatIsNewIsNotBlind() {
    Decided fresh = new Decided(true, Optional.empty(), NOW.minusSeconds(60));
    assertThat(AlertEvaluation.of(Optional.of(NOW), fresh, GROUPS, NOW).isBlind()).isFalse();
  }
}
