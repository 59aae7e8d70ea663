package io.tidemark.platform.billing;

import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
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
 * Looks at the budget of every organisation again and again. Each is looked at in a transaction of
 * its own; two instances tell a threshold once.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
public class SpendingWatcher implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(SpendingWatcher.class);

  private final CrossTenantSpendingBudgets budgets;
  private final SpendingBudgets spending;
  private final BillingProperties properties;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService thread;

  SpendingWatcher(
      CrossTenantSpendingBudgets budgets,
      SpendingBudgets spending,
      BillingProperties properties,
      BackgroundLoops loops) {
    this.budgets = budgets;
    this.spending = spending;
    this.properties = properties;
    this.loop = loops.loop("spending", properties.watchingPeriod());
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "spending"));
    long period = properties.watchingPeriod().toMillis();
    var unused =
        thread.scheduleWithFixedDelay(this::attempt, period, period, TimeUnit.MILLISECONDS);
  }

  private void attempt() {
    try {
      if (watch()) {
        loop.succeeded();
      }
    } catch (RuntimeException failure) {
      LOG.warn("Budgets cannot be looked at; tried again: {}", failure.toString());
    }
  }

  /**
   * Looks at every budget.
   *
   * @return false when some could not be looked at
   */
  public boolean watch() {
    boolean isWhole = true;
    for (TenantId organization : budgets.organizations()) {
      try {
        spending.watch(organization);
      } catch (RuntimeException failure) {
        LOG.error(
            "The budget of {} cannot be looked at; tried again: {}",
            organization,
            failure.toString());
        isWhole = false;
      }
    }
    return isWhole;
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
