package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefreshScheduleTest {

  private static final Duration JUST_BEFORE = Duration.ofNanos(1);

  private final AtomicLong now = new AtomicLong(-5);
  private final RefreshSchedule schedule = new RefreshSchedule(now::get);

  @Test
  void isDueAtOnceAndEachSecondWhileSomebodyWantsToKnow() {
    assertThat(schedule.isDue(true)).isTrue();
    after(RefreshSchedule.WANTED.minus(JUST_BEFORE));
    assertThat(schedule.isDue(true)).isFalse();
    after(JUST_BEFORE);
    assertThat(schedule.isDue(true)).isTrue();
  }

  @Test
  void isDueSeldomWhenNobodyWantedToKnowForAMinute() {
    after(RefreshSchedule.INTEREST);
    assertThat(schedule.isDue(true)).isTrue();
    after(RefreshSchedule.WANTED);
    assertThat(schedule.isDue(true)).isFalse();
    after(RefreshSchedule.UNWANTED.minus(RefreshSchedule.WANTED));
    assertThat(schedule.isDue(true)).isTrue();
  }

  @Test
  void isDueSoonAgainOnceSomebodyWantsToKnow() {
    after(RefreshSchedule.INTEREST);
    assertThat(schedule.isDue(true)).isTrue();
    after(RefreshSchedule.WANTED);
    schedule.wanted();
    assertThat(schedule.isDue(true)).isTrue();
  }

  @Test
  void isDueSoonAgainWhileNothingIsKnown() {
    after(RefreshSchedule.INTEREST);
    assertThat(schedule.isDue(false)).isTrue();
    after(RefreshSchedule.WANTED);
    assertThat(schedule.isDue(false)).isTrue();
  }

  @Test
  void whatIsKnownIsBelievedUntilItIsAskedForTheNextTime() {
    // The thread that asks comes round once a second, and a store takes a while to answer.
    assertThat(RefreshSchedule.UNWANTED.plusSeconds(2)).isLessThan(ProgressConsumer.BELIEVED);
  }

  private void after(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
