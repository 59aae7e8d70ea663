package io.tidemark.platform.notification;

import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
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
 * Removes deliveries, with their attempts, that ended longer ago than is promised. One process does
 * at a time; what another one removes is left to it.
 */
@Component
@ConditionalOnRole(ProcessRole.NOTIFY)
class DeliveryPruner implements SmartLifecycle {

  static final Duration SHOWN = Duration.ofDays(30);

  private static final Logger LOG = LoggerFactory.getLogger(DeliveryPruner.class);
  private static final int AT_A_TIME = 1_000;

  private final CrossTenantDeliveries organizations;
  private final TenantTransactions transactions;
  private final JdbcDeliveries deliveries;
  private final NotificationProperties properties;
  private final Clock clock;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService thread;

  DeliveryPruner(
      CrossTenantDeliveries organizations,
      TenantTransactions transactions,
      JdbcDeliveries deliveries,
      NotificationProperties properties,
      Clock clock,
      BackgroundLoops loops) {
    this.organizations = organizations;
    this.transactions = transactions;
    this.deliveries = deliveries;
    this.properties = properties;
    this.clock = clock;
    this.loop = loops.loop("delivery-pruner", properties.pruningPeriod());
  }

  @Override
  public synchronized void start() {
    thread =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "delivery-pruner"));
    long period = properties.pruningPeriod().toMillis();
    var unused =
        thread.scheduleWithFixedDelay(this::attempt, period, period, TimeUnit.MILLISECONDS);
  }

  private void attempt() {
    try {
      prune();
      loop.succeeded();
    } catch (RuntimeException failure) {
      LOG.warn("Old deliveries are still there; tried again: {}", failure.toString());
    }
  }

  /**
   * Removes what is too old.
   *
   * @return how many deliveries
   */
  long prune() {
    Instant before = clock.instant().minus(SHOWN);
    long removed = 0;
    for (TenantId organization : organizations.withOldDeliveries(before)) {
      long batch;
      do {
        batch =
            transactions.within(
                organization,
                () ->
                    deliveries.ownPruning(organization)
                        ? deliveries.forget(organization, before, AT_A_TIME)
                        : 0L);
        removed += batch;
      } while (batch > 0);
    }
    return removed;
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
