package io.tidemark.platform.notification;

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
 * Reports how many deliveries wait, and for how long the oldest that is due has been, as metrics of
 * the platform. One whose receiver is tried again later, or whose integration is paused or
 * disabled, waits and is not due. Not a number while the database does not say.
 */
@Component
@ConditionalOnRole(ProcessRole.NOTIFY)
class DeliveryBacklog implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(DeliveryBacklog.class);
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private final CrossTenantDeliveries deliveries;
  private final Clock clock;
  private volatile double waiting = Double.NaN;
  private volatile double oldestDueSeconds = Double.NaN;
  private final Object looking = new Object();
  private boolean isFailing;
  private @Nullable ScheduledExecutorService thread;

  DeliveryBacklog(CrossTenantDeliveries deliveries, Clock clock, MeterRegistry meters) {
    this.deliveries = deliveries;
    this.clock = clock;
    Gauge.builder("tidemark.deliveries.waiting", this, backlog -> backlog.waiting)
        .description("Deliveries of webhooks that are not taken yet and not given up")
        .register(meters);
    Gauge.builder("tidemark.deliveries.oldest_due.age", this, backlog -> backlog.oldestDueSeconds)
        .baseUnit("seconds")
        .description("For how long the delivery that is due longest has been due")
        .register(meters);
  }

  @Override
  public synchronized void start() {
    thread =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "delivery-backlog"));
    var unused =
        thread.scheduleWithFixedDelay(this::look, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Asks once. Of two at the same time the later one is shown. */
  void look() {
    synchronized (looking) {
      try {
        Instant now = clock.instant();
        CrossTenantDeliveries.Backlog backlog = deliveries.backlog(now);
        waiting = backlog.waiting();
        oldestDueSeconds =
            backlog
                .oldestDue()
                .map(due -> Duration.between(due, now).toMillis() / 1000.0)
                .orElse(0.0);
        isFailing = false;
      } catch (RuntimeException away) {
        waiting = Double.NaN;
        oldestDueSeconds = Double.NaN;
        if (!isFailing) {
          LOG.warn("Deliveries that wait cannot be counted: {}", away.toString());
        }
        isFailing = true;
      }
    }
  }

  @Override
  public synchronized void stop() {
    Objects.requireNonNull(thread).shutdownNow();
    thread = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}
