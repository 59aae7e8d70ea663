package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertProgress.Decided;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An environment is decided as far as the rule of it that is decided least. */
class AlertProgressTest {

  private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");
  private static final Instant AN_HOUR_AGO = NOW.minusSeconds(3_600);

  private static Decided decided(Map<String, Instant> rules, Map<String, Instant> until) {
    return Decided.of(true, rules, rule -> Optional.ofNullable(until.get(rule)), NOW);
  }

  @Test
  void theRuleThatIsDecidedLeastCounts() {
    Decided decided =
        decided(
            Map.of("a", AN_HOUR_AGO, "b", AN_HOUR_AGO),
            Map.of("a", NOW.minusSeconds(60), "b", NOW.minusSeconds(180)));
    assertThat(decided).isEqualTo(new Decided(true, 2, 0, NOW.minusSeconds(180)));
  }

  @Test
  void aRuleOfWhichNothingIsSaidIsSilentUnlessItIsNew() {
    Instant told = NOW.minusSeconds(60);
    assertThat(
            decided(
                Map.of("a", AN_HOUR_AGO, "old", AN_HOUR_AGO, "new", NOW.minusSeconds(10)),
                Map.of("a", told)))
        .isEqualTo(new Decided(true, 3, 1, told));
    assertThat(decided(Map.of(), Map.of())).isEqualTo(new Decided(true, 0, 0, null));
  }
}
