package io.tidemark.flink.rollup.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdaptiveLingerTest {
  private final AdaptiveLinger linger = new AdaptiveLinger(Duration.ofSeconds(1));

  @Test
  void theMoreWentTheLongerTheNextWaits() {
    assertEquals(200, linger.millis());
    linger.sent(400);
    assertEquals(300, linger.millis());
  }

  @Test
  void nothingWaitsLongerThanTheLongest() {
    linger.sent(1_000_000);
    assertEquals(1_000, linger.millis());
    linger.sent(0);
    assertEquals(200, linger.millis());
  }

  @Test
  void theLongestMayBeShort() {
    assertEquals(50, new AdaptiveLinger(Duration.ofMillis(50)).millis());
  }
}
