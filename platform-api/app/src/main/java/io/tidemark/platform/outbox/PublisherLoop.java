package io.tidemark.platform.outbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Runs passes of publishing while the application runs: when a record was changed here, and from
 * time to time. A failure is logged once until it is over; {@code tidemark.control.publish.age}
 * tells for how many seconds no pass has succeeded.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class PublisherLoop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(PublisherLoop.class);

  private final OutboxPublisher publishing;
  private final Duration period;
  private final Clock clock;
  private final BackgroundLoop loop;
  private volatile Instant lastSuccess;
  private final AtomicBoolean isPassAsked = new AtomicBoolean();
  private volatile boolean failing;
  private volatile @Nullable ScheduledExecutorService thread;

  PublisherLoop(
      OutboxPublisher publishing,
      OutboxProperties properties,
      Clock clock,
      MeterRegistry meters,
      BackgroundLoops loops) {
    this.publishing = publishing;
    this.period = properties.period();
    this.clock = clock;
    this.lastSuccess = clock.instant();
    this.loop = loops.loop("control-publisher", period);
    Gauge.builder(
            "tidemark.control.publish.age",
            this,
            own -> Duration.between(own.lastSuccess, clock.instant()).toSeconds())
        .baseUnit("seconds")
        .description("Time since changes of the control plane could last be published")
        .register(meters);
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService starting =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "control-publisher"));
    thread = starting;
    var unused =
        starting.scheduleWithFixedDelay(this::pass, 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** A change can be seen. */
  @TransactionalEventListener
  void publish(ControlRecordChanged change) {
    ScheduledExecutorService running = thread;
    if (running != null && isPassAsked.compareAndSet(false, true)) {
      try {
        running.execute(this::pass);
      } catch (RejectedExecutionException stopped) {
        isPassAsked.set(false);
      }
    }
  }

  private void pass() {
    isPassAsked.set(false);
    try {
      publishing.pass();
      lastSuccess = clock.instant();
      loop.succeeded();
      if (failing) {
        LOG.info("Changes of the control plane are published again");
      }
      failing = false;
    } catch (RuntimeException failure) {
      ScheduledExecutorService running = thread;
      if (!failing && running != null && !running.isShutdown()) {
        LOG.warn(
            "Changes of the control plane cannot be published; they are kept and tried again: {}",
            failure.toString());
      }
      failing = true;
    }
  }

  @Override
  public synchronized void stop() {
    ScheduledExecutorService ending = Objects.requireNonNull(thread);
    ending.shutdown();
    try {
      if (!ending.awaitTermination(10, TimeUnit.SECONDS)) {
        ending.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      ending.shutdownNow();
      Thread.currentThread().interrupt();
    }
    thread = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}
