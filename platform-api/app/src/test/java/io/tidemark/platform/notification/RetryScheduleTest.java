package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {

  @Test
  void aReceiverThatIsAwayIsTriedEveryFiveMinutesAtLeast() {
    assertThat(RetrySchedule.next(1, true, 0.5)).isEqualTo(Duration.ofSeconds(5));
    for (int failures = 1; failures < 1_000; failures++) {
      assertThat(RetrySchedule.next(failures, true, 1)).isLessThanOrEqualTo(Duration.ofMinutes(6));
    }
  }

  @Test
  void aReceiverThatDoesNotWantAMessageIsLeftInPeace() {
    assertThat(RetrySchedule.next(2, false, 0.5)).isEqualTo(Duration.ofMinutes(5));
    assertThat(RetrySchedule.next(99, false, 0.5)).isEqualTo(Duration.ofHours(24));
  }

  @Test
  void receiversAreNotTriedAllAtOnce() {
    assertThat(RetrySchedule.next(4, true, 0)).isEqualTo(Duration.ofSeconds(48));
    assertThat(RetrySchedule.next(4, true, 1)).isEqualTo(Duration.ofSeconds(72));
  }

  @Test
  void whatTheReceiverAskedForIsNeverUndercutAndHasAnEnd() {
    Duration scheduled = Duration.ofSeconds(5);

    assertThat(RetrySchedule.wished(Duration.ofMinutes(1), scheduled, 0))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(RetrySchedule.wished(Duration.ZERO, scheduled, 0)).isEqualTo(scheduled);
    assertThat(RetrySchedule.wished(Duration.ofDays(999), scheduled, 0))
        .isEqualTo(Duration.ofHours(24));
  }
}
