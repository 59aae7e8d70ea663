package io.tidemark.platform.loops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A loop shows its last success, and its start before the first. */
class BackgroundLoopsTest {

  private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Instant now = START;
  private final BackgroundLoops loops = new BackgroundLoops(meters, () -> now);

  private double shown(String metric, String loop) {
    return meters.get(metric).tag("loop", loop).gauge().value();
  }

  private double lastSuccess(String loop) {
    return shown("tidemark.loop.last_success.timestamp", loop);
  }

  @Test
  void aLoopThatNeverSucceedsIsAsOldAsItsStart() {
    BackgroundLoop loop = loops.loop("billing", Duration.ofMinutes(5));
    now = now.plus(Duration.ofHours(1));

    assertThat(loop).isNotNull();
    assertThat(lastSuccess("billing")).isEqualTo(START.getEpochSecond());
    assertThat(shown("tidemark.loop.period", "billing")).isEqualTo(300);
  }

  @Test
  void aSuccessIsOfItsLoopAlone() {
    BackgroundLoop billing = loops.loop("billing", Duration.ofMinutes(5));
    BackgroundLoop outbox = loops.loop("control-publisher", Duration.ofMillis(500));
    now = now.plus(Duration.ofMinutes(2));
    outbox.succeeded();
    now = now.plus(Duration.ofMinutes(1));

    assertThat(billing).isNotNull();
    assertThat(lastSuccess("billing")).isEqualTo(START.getEpochSecond());
    assertThat(lastSuccess("control-publisher")).isEqualTo(START.getEpochSecond() + 120);
    assertThat(shown("tidemark.loop.period", "control-publisher")).isEqualTo(0.5);
  }
}
