package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Of attempts that are settled together the health is that of one after the other. */
class IntegrationHealthTest {

  private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration DAYS = Duration.ofDays(5);
  private static final IntegrationHealth WELL = new IntegrationHealth(null, 0, null, null);

  private static IntegrationHealth failed(IntegrationHealth before, Integer status, boolean away) {
    return before.failed(status, away, PAUSE, DAYS, NOW);
  }

  @Test
  void oneThatIsAwayIsLeftAlone() {
    IntegrationHealth away = failed(failed(WELL, null, true), 503, true);

    assertThat(away).isEqualTo(new IntegrationHealth(NOW, 2, NOW.plus(PAUSE), null));
    assertThat(away.hasWaiting()).isTrue();
    assertThat(away.taken()).isEqualTo(WELL);
    assertThat(WELL.taken()).isEqualTo(WELL);
  }

  @Test
  void oneThatRefusesAMessageTakesOthers() {
    IntegrationHealth refused = failed(WELL, 400, false);

    assertThat(refused).isEqualTo(new IntegrationHealth(NOW, 0, null, null));
    assertThat(refused.hasWaiting()).isFalse();
    assertThat(refused.taken()).isEqualTo(WELL);
  }

  @Test
  void goneAndDaysWithoutATakenMessageDisable() {
    assertThat(failed(WELL, 410, false).disabledReason()).contains("410");
    IntegrationHealth almost = new IntegrationHealth(NOW.minus(DAYS).plusMillis(1), 9, null, null);
    assertThat(failed(almost, 503, true).disabledReason()).isNull();
    IntegrationHealth tooLong = new IntegrationHealth(NOW.minus(DAYS), 9, null, null);
    assertThat(failed(tooLong, 503, true).disabledReason())
        .isEqualTo("No message was taken since 2026-11-19T10:00:00Z.");
  }

  @Test
  void aMessageThatIsTakenLateEnablesNothing() {
    IntegrationHealth disabled = new IntegrationHealth(NOW, 1, null, "Gone.");

    assertThat(disabled.taken().disabledReason()).isEqualTo("Gone.");
  }
}
