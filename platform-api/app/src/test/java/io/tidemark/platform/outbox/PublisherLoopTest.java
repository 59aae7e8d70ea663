package io.tidemark.platform.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.platform.loops.BackgroundLoops;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What this process changed is published with its commit, not with the next look. */
class PublisherLoopTest {

  private static final OutboxProperties SELDOM =
      new OutboxProperties("", Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));

  private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

  private final Semaphore passes = new Semaphore(0);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private volatile Instant now = START;
  private volatile boolean isAway;
  private final PublisherLoop loop =
      new PublisherLoop(
          new CountedPublisher(),
          SELDOM,
          Clock.systemUTC(),
          meters,
          new BackgroundLoops(meters, () -> now));

  private boolean isPassed() throws InterruptedException {
    return passes.tryAcquire(10, TimeUnit.SECONDS);
  }

  @Test
  void aChangeHereIsPublishedWithoutWaitingForTheNextLook() throws Exception {
    loop.start();
    try {
      assertThat(isPassed()).as("the look at the start").isTrue();
      for (int change = 0; change < 3; change++) {
        loop.publish(new ControlRecordChanged());
        assertThat(isPassed()).as("change %d", change).isTrue();
      }
    } finally {
      loop.stop();
    }
    loop.publish(new ControlRecordChanged());
    assertThat(passes.availablePermits()).isZero();
  }

  @Test
  void onlyAPassThatSucceedsIsOne() throws Exception {
    loop.start();
    assertThat(isPassed()).isTrue();
    now = START.plusSeconds(60);
    loop.publish(new ControlRecordChanged());
    assertThat(isPassed()).isTrue();
    loop.stop();
    assertThat(lastSuccess()).isEqualTo(now.getEpochSecond());

    isAway = true;
    now = START.plusSeconds(120);
    loop.start();
    assertThat(isPassed()).isTrue();
    loop.stop();
    assertThat(lastSuccess()).isEqualTo(START.getEpochSecond() + 60);
  }

  private double lastSuccess() {
    return meters.get("tidemark.loop.last_success.timestamp").gauge().value();
  }

  private final class CountedPublisher extends OutboxPublisher {
    CountedPublisher() {
      super(null, null, List.of(), null, Clock.systemUTC(), SELDOM);
    }

    @Override
    void pass() {
      passes.release();
      if (isAway) {
        throw new IllegalStateException("away");
      }
    }
  }
}
