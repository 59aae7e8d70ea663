package io.tidemark.platform.notification;

import io.tidemark.platform.notification.CrossTenantDeliveries.Due;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Looks for messages whose time has come, and has some of them attempted at a time. */
@Component
@ConditionalOnRole(ProcessRole.NOTIFY)
class DispatcherLoop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(DispatcherLoop.class);
  private static final int AT_A_TIME = 64;

  private final CrossTenantDeliveries deliveries;
  private final DeliveryDispatcher dispatcher;
  private final NotificationProperties properties;
  private final Clock clock;
  private final Set<Due> attempted = ConcurrentHashMap.newKeySet();
  private ScheduledExecutorService looks;
  private ExecutorService attempts;
  private volatile boolean isFailing;

  DispatcherLoop(
      CrossTenantDeliveries deliveries,
      DeliveryDispatcher dispatcher,
      NotificationProperties properties,
      Clock clock) {
    this.deliveries = deliveries;
    this.dispatcher = dispatcher;
    this.properties = properties;
    this.clock = clock;
  }

  @Override
  public synchronized void start() {
    attempts =
        Executors.newFixedThreadPool(
            properties.threads(), work -> new Thread(work, "notification-attempt"));
    looks = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "notification"));
    long period = properties.period().toMillis();
    var unused = looks.scheduleWithFixedDelay(this::pass, period, period, TimeUnit.MILLISECONDS);
  }

  private void pass() {
    try {
      for (Due due : deliveries.due(clock.instant(), AT_A_TIME)) {
        if (attempted.size() < 2 * properties.threads() && attempted.add(due)) {
          attempts.execute(() -> attempt(due));
        }
      }
      isFailing = false;
    } catch (RuntimeException failure) {
      if (!isFailing && !looks.isShutdown()) {
        LOG.warn("Messages cannot be delivered; they are kept: {}", failure.toString());
      }
      isFailing = true;
    }
  }

  private void attempt(Due due) {
    try {
      dispatcher.dispatch(due);
    } catch (RuntimeException failure) {
      LOG.warn(
          "The attempt of {} is not written down and is made again: {}",
          due.delivery(),
          failure.toString());
    } finally {
      attempted.remove(due);
    }
  }

  @Override
  public synchronized void stop() {
    looks.shutdownNow();
    attempts.shutdown();
    try {
      if (!attempts.awaitTermination(properties.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
        attempts.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      attempts.shutdownNow();
      Thread.currentThread().interrupt();
    }
    looks = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return looks != null;
  }
}
