package io.tidemark.platform.ingest.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InFlightByteLimiterTest {

  private static final TenantId LOUD = new TenantId("org-loud");
  private static final TenantId QUIET = new TenantId("org-quiet");

  private final InFlightByteLimiter limiter = new InFlightByteLimiter(100, 60);

  @Test
  void oneTenantLeavesRoomForOthers() {
    try (var loud = limiter.hold(LOUD);
        var loudToo = limiter.hold(LOUD);
        var quiet = limiter.hold(QUIET)) {
      assertThat(loud.grow(50)).isTrue();
      assertThat(loudToo.grow(11)).isFalse();
      assertThat(loudToo.grow(10)).isTrue();
      assertThat(quiet.grow(40)).isTrue();
      assertThat(quiet.grow(1)).isFalse();
      assertThat(limiter.held()).isEqualTo(100);
      assertThat(limiter.held(LOUD)).isEqualTo(60);
    }
    assertThat(limiter.held()).isZero();
    assertThat(limiter.held(LOUD)).isZero();
  }

  @Test
  void whatIsClosedHoldsNothingMore() {
    InFlightByteLimiter.Reservation holding = limiter.hold(LOUD);
    assertThat(holding.grow(10)).isTrue();
    holding.close();
    assertThat(holding.grow(10)).isFalse();
    holding.close();
    assertThat(limiter.held()).isZero();
  }

  @Test
  void aTenantReadsSoManyBodiesAtATime() {
    ReadSlots slots = new ReadSlots(2);
    assertThat(slots.take(LOUD)).isTrue();
    assertThat(slots.take(LOUD)).isTrue();
    assertThat(slots.take(LOUD)).isFalse();
    assertThat(slots.take(QUIET)).isTrue();
    slots.giveBack(LOUD);
    assertThat(slots.take(LOUD)).isTrue();
  }

  @Test
  void aBodyHasToComeFastEnoughAfterAWhileAndToEnd() {
    ReceiveRate rate = new ReceiveRate(Duration.ofSeconds(5), 1_000, Duration.ofSeconds(60));
    assertThat(rate.isMissedBy(0, Duration.ofSeconds(5).toNanos())).isFalse();
    assertThat(rate.isMissedBy(5_999, Duration.ofSeconds(6).toNanos())).isTrue();
    assertThat(rate.isMissedBy(6_000, Duration.ofSeconds(6).toNanos())).isFalse();
    assertThat(rate.isMissedBy(1_000_000_000, Duration.ofSeconds(61).toNanos())).isTrue();
  }
}
