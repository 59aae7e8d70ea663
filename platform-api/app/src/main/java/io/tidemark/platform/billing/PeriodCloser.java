package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Closes periods when they are due. Every organisation is closed in a transaction of its own, so
 * one that cannot be closed keeps no other waiting; two instances do not close one twice.
 */
@Component
public class PeriodCloser implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(PeriodCloser.class);

  private final CrossTenantInvoices due;
  private final Invoices invoices;
  private final BillingProperties properties;
  private final Clock clock;
  private ScheduledExecutorService thread;

  PeriodCloser(
      CrossTenantInvoices due, Invoices invoices, BillingProperties properties, Clock clock) {
    this.due = due;
    this.invoices = invoices;
    this.properties = properties;
    this.clock = clock;
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
    int closed = 0;
    Set<TenantId> failed = new HashSet<>();
    for (CrossTenantInvoices.Due one : due.before(open)) {
      if (failed.contains(one.organization())) {
        // What a month leaves of a credit is for the next one.
        continue;
      }
      try {
        if (invoices.close(one.organization(), one.period())) {
          closed++;
        }
      } catch (RuntimeException failure) {
        failed.add(one.organization());
        LOG.error(
            "{} of {} cannot be closed; tried again: {}",
            one.period(),
            one.organization(),
            failure.toString());
      }
    }
    return closed;
  }

  @Override
  public synchronized void stop() {
    thread.shutdownNow();
    thread = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}
