package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Closes periods when they are due. Every organisation is closed in a transaction of its own and
 * waits no longer than two seconds for a lock, so those that cannot be closed keep no other
 * waiting; two instances do not close one twice.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
public class PeriodCloser implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(PeriodCloser.class);

  /** Half of the control plane's connections: people are served while a month closes. */
  private static final int AT_A_TIME = 2;

  private final CrossTenantInvoices due;
  private final Invoices invoices;
  private final BillingProperties properties;
  private final Clock clock;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService thread;

  PeriodCloser(
      CrossTenantInvoices due,
      Invoices invoices,
      BillingProperties properties,
      Clock clock,
      BackgroundLoops loops) {
    this.due = due;
    this.invoices = invoices;
    this.properties = properties;
    this.clock = clock;
    this.loop = loops.loop("billing", properties.closingPeriod());
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "billing"));
    long period = properties.closingPeriod().toMillis();
    var unused =
        thread.scheduleWithFixedDelay(this::attempt, period, period, TimeUnit.MILLISECONDS);
  }

  private void attempt() {
    try {
      closeDue();
    } catch (RuntimeException failure) {
      LOG.warn("Periods cannot be closed; tried again: {}", failure.toString());
    }
  }

  /**
   * Closes what is due.
   *
   * @return how many invoices were closed
   */
  public int closeDue() {
    BillingPeriod open = BillingPeriod.at(clock.instant().minus(properties.closingDelay()));
    Map<TenantId, List<BillingPeriod>> byOrganization = new LinkedHashMap<>();
    for (CrossTenantInvoices.Due one : due.before(open)) {
      byOrganization
          .computeIfAbsent(one.organization(), unknown -> new ArrayList<>())
          .add(one.period());
    }
    AtomicInteger closed = new AtomicInteger();
    AtomicBoolean isWhole = new AtomicBoolean(true);
    ExecutorService workers = Executors.newFixedThreadPool(AT_A_TIME);
    byOrganization.forEach(
        (organization, periods) ->
            workers.execute(() -> close(organization, periods, closed, isWhole)));
    workers.shutdown();
    try {
      while (!workers.awaitTermination(1, TimeUnit.MINUTES)) {
        LOG.info("Closed {} invoices; others are due", closed.get());
      }
    } catch (InterruptedException stopped) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
      isWhole.set(false);
    }
    if (isWhole.get()) {
      loop.succeeded();
    }
    return closed.get();
  }

  /** What a month leaves of a credit is for the next one: a month waits for those before it. */
  private void close(
      TenantId organization,
      List<BillingPeriod> periods,
      AtomicInteger closed,
      AtomicBoolean isWhole) {
    for (BillingPeriod period : periods) {
      try {
        if (invoices.close(organization, period)) {
          closed.incrementAndGet();
          loop.succeeded();
        }
      } catch (RuntimeException failure) {
        LOG.error("{} of {} cannot be closed; tried again", period, organization, failure);
        isWhole.set(false);
        return;
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
