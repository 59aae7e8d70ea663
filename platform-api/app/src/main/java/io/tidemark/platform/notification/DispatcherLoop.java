package io.tidemark.platform.notification;

import io.tidemark.platform.notification.CrossTenantDeliveries.Due;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
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
 * Looks for messages whose time has come, and has some of them attempted at a time: from time to
 * time, when one was kept here, and when an attempt leaves room for others. Of one integration
 * there are few attempts at a time, so that one that does not answer leaves threads for the others.
 */
@Component
@ConditionalOnRole(ProcessRole.NOTIFY)
class DispatcherLoop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(DispatcherLoop.class);

  /** What one look gives. */
  private static final int AT_A_TIME = 64;

  /** Integrations that may leave their messages unanswered before others wait. */
  private static final int SHARES = 4;

  private final CrossTenantDeliveries deliveries;
  private final DeliveryDispatcher dispatcher;
  private final NotificationProperties properties;
  private final Clock clock;
  private final Set<Due> attempted = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isLookAsked = new AtomicBoolean();
  private volatile @Nullable ScheduledExecutorService looks;
  private @Nullable ExecutorService attempts;
  private volatile boolean isFailing;
  private volatile boolean isMoreDue;

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

  /** A message was kept by this process and can be seen. */
  @TransactionalEventListener
  void look(DeliveryQueued kept) {
    look();
  }

  private void look() {
    ScheduledExecutorService thread = looks;
    if (thread != null && isLookAsked.compareAndSet(false, true)) {
      try {
        thread.execute(this::pass);
      } catch (RejectedExecutionException stopped) {
        isLookAsked.set(false);
      }
    }
  }

  private void pass() {
    isLookAsked.set(false);
    try {
      isMoreDue = attempted.size() >= atMost() || begin();
      isFailing = false;
    } catch (RuntimeException failure) {
      ScheduledExecutorService thread = looks;
      if (!isFailing && thread != null && !thread.isShutdown()) {
        LOG.warn("Messages cannot be delivered; they are kept: {}", failure.toString());
      }
      isFailing = true;
    }
  }

  /** As many wait for a thread as have one. */
  private int atMost() {
    return 2 * properties.threads();
  }

  /** Has attempts made of what is due; true when there was more than may be attempted now. */
  private boolean begin() {
    int ofEach = Math.max(1, properties.threads() / SHARES);
    Map<String, Integer> running = new HashMap<>();
    attempted.forEach(due -> running.merge(due.integration(), 1, Integer::sum));
    boolean isMore = false;
    for (Due due : deliveries.due(clock.instant(), AT_A_TIME, 2 * ofEach)) {
      if (attempted.contains(due)) {
        continue;
      }
      if (attempted.size() >= atMost() || running.getOrDefault(due.integration(), 0) >= ofEach) {
        isMore = true;
        continue;
      }
      running.merge(due.integration(), 1, Integer::sum);
      attempted.add(due);
      Objects.requireNonNull(attempts).execute(() -> attempt(due));
    }
    return isMore;
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
      if (isMoreDue) {
        look();
      }
    }
  }

  @Override
  public synchronized void stop() {
    Objects.requireNonNull(looks).shutdownNow();
    ExecutorService ending = Objects.requireNonNull(attempts);
    ending.shutdown();
    try {
      if (!ending.awaitTermination(properties.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
        ending.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      ending.shutdownNow();
      Thread.currentThread().interrupt();
    }
    looks = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return looks != null;
  }
}
