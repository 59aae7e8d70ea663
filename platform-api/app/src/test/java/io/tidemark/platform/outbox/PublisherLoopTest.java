package io.tidemark.platform.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What this process changed is published with its commit, not with the next look. */
class PublisherLoopTest {

  private static final OutboxProperties SELDOM =
      new OutboxProperties("", Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));

  private final Semaphore passes = new Semaphore(0);
  private final PublisherLoop loop =
      new PublisherLoop(
          new CountedPublisher(passes), SELDOM, Clock.systemUTC(), new SimpleMeterRegistry());

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

  private static final class CountedPublisher extends OutboxPublisher {
    private final Semaphore passes;

    CountedPublisher(Semaphore passes) {
      super(null, null, List.of(), null, Clock.systemUTC(), SELDOM);
      this.passes = passes;
    }

    @Override
    void pass() {
      passes.release();
    }
  }
}
