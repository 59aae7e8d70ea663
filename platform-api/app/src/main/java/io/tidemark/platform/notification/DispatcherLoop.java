package io.tidemark.platform.notification;

import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.notification.CrossTenantDeliveries.Due;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Looks for messages whose time has come, and has some of them attempted at a time: from time to
 * time, when one was kept here, and when attempts leave room for others. A thread takes some
 * messages of one integration. Of one integration there are few attempts at a time, so that one
 * that does not answer leaves threads for the others.
 */
@Component
@ConditionalOnRole(ProcessRole.NOTIFY)
class DispatcherLoop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(DispatcherLoop.class);

  /** What one look gives. */
  private static final int AT_A_TIME = 512;

  /** Messages of one integration that are claimed, and settled, together. */
  private static final int TOGETHER = 16;

  /** Integrations that may leave their messages unanswered before others wait. */
  private static final int SHARES = 4;

  private final CrossTenantDeliveries deliveries;
  private final DeliveryDispatcher dispatcher;
  private final NotificationProperties properties;
  private final Clock clock;
  private final BackgroundLoop loop;
  private final Set<Due> attempted = ConcurrentHashMap.newKeySet();

  /** Threads, or places in their queue, that an integration has. */
  private final Map<String, Integer> running = new ConcurrentHashMap<>();

  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicBoolean isLookAsked = new AtomicBoolean();
  private volatile @Nullable ScheduledExecutorService looks;
  private @Nullable ExecutorService attempts;
  private volatile boolean isFailing;
  private volatile boolean isMoreDue;

  DispatcherLoop(
      CrossTenantDeliveries deliveries,
      DeliveryDispatcher dispatcher,
      NotificationProperties properties,
      Clock clock,
      BackgroundLoops loops) {
    this.deliveries = deliveries;
    this.dispatcher = dispatcher;
    this.properties = properties;
    this.clock = clock;
    this.loop = loops.loop("notification", properties.period());
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
      isMoreDue = begun.get() >= atMost() || begin();
      isFailing = false;
      loop.succeeded();
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
    Map<String, List<Due>> byIntegration = new LinkedHashMap<>();
    for (Due due : deliveries.due(clock.instant(), AT_A_TIME, 2 * ofEach * TOGETHER)) {
      if (!attempted.contains(due)) {
        byIntegration.computeIfAbsent(key(due), key -> new ArrayList<>()).add(due);
      }
    }
    boolean isMore = false;
    for (Map.Entry<String, List<Due>> each : byIntegration.entrySet()) {
      List<Due> waiting = each.getValue();
      while (!waiting.isEmpty()) {
        if (begun.get() >= atMost() || running.getOrDefault(each.getKey(), 0) >= ofEach) {
          isMore = true;
          break;
        }
        // Two threads share what there is: a receiver that is slow answers both at once.
        int share = Math.min(TOGETHER, (waiting.size() + ofEach - 1) / ofEach);
        List<Due> together = List.copyOf(waiting.subList(0, share));
        waiting.subList(0, share).clear();
        begun.incrementAndGet();
        running.merge(each.getKey(), 1, Integer::sum);
        attempted.addAll(together);
        Objects.requireNonNull(attempts).execute(() -> attempt(each.getKey(), together));
      }
    }
    return isMore;
  }

  private static String key(Due due) {
    return due.organization() + "/" + due.integration();
  }

  private void attempt(String integration, List<Due> together) {
    boolean isLeft = false;
    try {
      isLeft = dispatcher.dispatch(together);
    } catch (RuntimeException failure) {
      LOG.warn(
          "Attempts of {} and {} more are not written down and are made again: {}",
          together.get(0).delivery(),
          together.size() - 1,
          failure.toString());
    } finally {
      together.forEach(attempted::remove);
      running.merge(integration, -1, (before, less) -> before + less == 0 ? null : before + less);
      begun.decrementAndGet();
      if (isMoreDue || isLeft) {
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
