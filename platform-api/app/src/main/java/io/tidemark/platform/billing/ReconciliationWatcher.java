package io.tidemark.platform.billing;

import io.tidemark.platform.billing.JdbcReconciledHours.Check;
import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.receipts.ReceivedBatches;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Reconciles every hour of every organisation once it is over, again while it differs, and reports
 * a difference that was found twice. Of several processes one has an hour, by a claim that begins
 * under a lock of the transaction and ends by itself.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
public class ReconciliationWatcher implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(ReconciliationWatcher.class);

  /** After the end of an hour: its last records, commits of the lake, and what Druid is behind. */
  private static final Duration SETTLING = Duration.ofMinutes(16);

  private static final Duration CLAIM = Duration.ofMinutes(10);
  private static final Duration REMEMBERED = Duration.ofDays(35);
  private static final int MAX_SENTENCES = 20;

  private final CrossTenantReconciliations tenants;
  private final Reconciler reconciler;
  private final JdbcReconciledHours rows;
  private final JdbcSpendingBudgets budgets;
  private final ReceivedBatches receipts;
  private final TenantTransactions transactions;
  private final ApplicationEventPublisher events;
  private final BillingProperties properties;
  private final Clock clock;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService thread;

  ReconciliationWatcher(
      CrossTenantReconciliations tenants,
      Reconciler reconciler,
      JdbcReconciledHours rows,
      JdbcSpendingBudgets budgets,
      ReceivedBatches receipts,
      TenantTransactions transactions,
      ApplicationEventPublisher events,
      BillingProperties properties,
      Clock clock,
      BackgroundLoops loops) {
    this.tenants = tenants;
    this.reconciler = reconciler;
    this.rows = rows;
    this.budgets = budgets;
    this.receipts = receipts;
    this.transactions = transactions;
    this.events = events;
    this.properties = properties;
    this.clock = clock;
    this.loop = loops.loop("reconciliation", properties.reconcilingPeriod());
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "reconciliation"));
    long period = properties.reconcilingPeriod().toMillis();
    var unused =
        thread.scheduleWithFixedDelay(this::attempt, period, period, TimeUnit.MILLISECONDS);
  }

  private void attempt() {
    try {
      boolean isWhole = true;
      for (TenantId organization : tenants.organizations()) {
        isWhole &= attempt(organization);
      }
      if (isWhole) {
        loop.succeeded();
      }
    } catch (RuntimeException failure) {
      LOG.warn("Hours cannot be reconciled; tried again: {}", failure.toString());
    }
  }

  private boolean attempt(TenantId organization) {
    try {
      watch(organization);
      return true;
    } catch (RuntimeException failure) {
      LOG.error("{} is not reconciled; tried again", organization, failure);
      return false;
    }
  }

  /** Reconciles the hours of an organisation that are due. */
  public void watch(TenantId organization) {
    Instant until = clock.instant().minus(SETTLING).truncatedTo(ChronoUnit.HOURS);
    // The first hour whose receipts are all there.
    Instant from = receipts.keptSince().truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
    Instant begun = now();
    while (from.isBefore(until)) {
      Instant now = now();
      Optional<Instant> hour =
          transactions.within(
              organization,
              () -> rows.claim(organization, from, until, begun, now, now.plus(CLAIM)));
      if (hour.isEmpty()) {
        break;
      }
      reconcile(organization, hour.get());
      loop.succeeded();
    }
    transactions.run(organization, () -> rows.forget(organization, now().minus(REMEMBERED)));
  }

  private void reconcile(TenantId organization, Instant hour) {
    Reconciler.Report report =
        reconciler.reconcile(
            organization, hour, hour.plus(1, ChronoUnit.HOURS), reconciler.hasStores());
    transactions.run(
        organization,
        () -> {
          Instant now = now();
          List<Difference> told = new ArrayList<>();
          for (Difference one : report.differences()) {
            if (rows.see(organization, one, now)) {
              told.add(one);
            }
          }
          int mended = rows.mend(organization, hour, now);
          rows.check(organization, hour, report.agrees(), !report.measured().isEmpty(), now);
          if (!told.isEmpty()) {
            tell(organization, hour, told, now);
          } else if (mended > 0 && report.agrees()) {
            tellMended(organization, hour, now);
          }
        });
  }

  /** Checks of hours so far, oldest first. */
  public List<Reconciled> checks(TenantId organization, Instant from, Instant to) {
    List<Reconciled> checks = new ArrayList<>();
    for (Check one : transactions.within(organization, () -> rows.checks(organization, from, to))) {
      checks.add(new Reconciled(one.hour(), one.checkedAt(), one.agrees(), one.withStores()));
    }
    return checks;
  }

  /** That an hour was reconciled by itself. */
  public record Reconciled(Instant hour, Instant checkedAt, boolean agrees, boolean withStores) {}

  private void tell(
      TenantId organization, Instant hour, List<Difference> differences, Instant now) {
    List<String> sentences =
        differences.stream().limit(MAX_SENTENCES).map(Difference::sentence).toList();
    LOG.error("Points of {} differ: {}", organization, sentences);
    Map<String, Object> data = new TreeMap<>();
    data.put("hour", hour.toString());
    data.put("differences", sentences);
    data.put("count", differences.size());
    publish(
        organization,
        "reconciliation.differs",
        hour,
        now,
        "critical",
        "Points of an hour differ",
        sentences.get(0)
            + (differences.size() > 1 ? " And " + (differences.size() - 1) + " more." : ""),
        data);
  }

  private void tellMended(TenantId organization, Instant hour, Instant now) {
    publish(
        organization,
        "reconciliation.mended",
        hour,
        now,
        "info",
        "Points of an hour agree again",
        "Every stage has the same points of hour " + hour + " again.",
        new TreeMap<>(Map.of("hour", hour.toString())));
  }

  private void publish(
      TenantId organization,
      String type,
      Instant hour,
      Instant now,
      String severity,
      String title,
      String text,
      Map<String, Object> data) {
    events.publishEvent(
        new BillingNotice(
            organization,
            type,
            type + "-" + organization.value() + "-" + hour + "-" + now,
            now,
            budgets.find(organization).budget().integrations(),
            severity,
            title,
            text,
            data));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
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
