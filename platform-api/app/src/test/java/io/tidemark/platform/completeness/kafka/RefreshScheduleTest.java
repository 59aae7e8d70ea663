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
  void isDueSoonWhileAMinuteIsStatedThatTheStoreHasNotConfirmed() {
    assertThat(schedule.isDue(true)).isTrue();
    schedule.progress(120_000, 119_000);
    after(RefreshSchedule.SOON);
    assertThat(schedule.pause()).isEqualTo(RefreshSchedule.SOON);
    assertThat(schedule.isDue(true)).isTrue();

    schedule.progress(124_000, 120_000);
    after(RefreshSchedule.SOON);
    assertThat(schedule.isDue(true)).as("the minute is confirmed").isFalse();
    assertThat(schedule.pause()).isEqualTo(RefreshSchedule.WANTED);
  }

  @Test
  void isDueAsBeforeWhenTheStoreTakesLongOrNobodyWantsToKnow() {
    schedule.progress(120_000, 119_000);
    after(RefreshSchedule.AWAITED);
    assertThat(schedule.isDue(true)).isTrue();
    after(RefreshSchedule.SOON);
    assertThat(schedule.isDue(true)).as("it takes long").isFalse();

    after(RefreshSchedule.INTEREST);
    assertThat(schedule.isDue(true)).isTrue();
    schedule.progress(180_000, 119_000);
    after(RefreshSchedule.SOON);
    assertThat(schedule.isDue(true)).as("nobody wants to know").isFalse();
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
