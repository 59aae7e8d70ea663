package io.tidemark.platform.outbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Runs passes of publishing while the application runs. A failure is logged once until it is over;
 * {@code tidemark.control.publish.age} tells for how many seconds no pass has succeeded.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class PublisherLoop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(PublisherLoop.class);

  private final OutboxPublisher publishing;
  private final Duration period;
  private final Clock clock;
  private volatile Instant lastSuccess;
  private volatile boolean failing;
  private @Nullable ScheduledExecutorService thread;

  PublisherLoop(
      OutboxPublisher publishing, OutboxProperties properties, Clock clock, MeterRegistry meters) {
    this.publishing = publishing;
    this.period = properties.period();
    this.clock = clock;
    this.lastSuccess = clock.instant();
    Gauge.builder(
            "tidemark.control.publish.age",
            this,
            loop -> Duration.between(loop.lastSuccess, clock.instant()).toSeconds())
        .baseUnit("seconds")
        .description("Time since changes of the control plane could last be published")
        .register(meters);
  }

  @Override
  public synchronized void start() {
    thread =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "control-publisher"));
    var unused =
        thread.scheduleWithFixedDelay(this::pass, 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void pass() {
    try {
      publishing.pass();
      lastSuccess = clock.instant();
      if (failing) {
        LOG.info("Changes of the control plane are published again");
      }
      failing = false;
    } catch (RuntimeException failure) {
      if (!failing && thread != null && !thread.isShutdown()) {
        LOG.warn(
            "Changes of the control plane cannot be published; they are kept and tried again: {}",
            failure.toString());
      }
      failing = true;
    }
  }

  @Override
  public synchronized void stop() {
    Objects.requireNonNull(thread).shutdown();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
    thread = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}
