package io.tidemark.platform.alerting;

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
 * Removes identifiers of transitions, silences and incidents that are older than is promised. One
 * process does at a time; what another one removes is left to it.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class AlertPruner implements SmartLifecycle {

  /** Longer than the topic keeps transitions, so that none is taken in twice. */
  static final Duration TRANSITIONS = Duration.ofDays(30);

  static final Duration INCIDENTS = Duration.ofDays(400);

  private static final Logger LOG = LoggerFactory.getLogger(AlertPruner.class);
  private static final int AT_A_TIME = 1_000;

  private final CrossTenantIncidents organizations;
  private final TenantTransactions transactions;
  private final JdbcIncidents incidents;
  private final JdbcSilences silences;
  private final AlertingProperties properties;
  private final Clock clock;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService thread;

  AlertPruner(
      CrossTenantIncidents organizations,
      TenantTransactions transactions,
      JdbcIncidents incidents,
      JdbcSilences silences,
      AlertingProperties properties,
      Clock clock,
      BackgroundLoops loops) {
    this.organizations = organizations;
    this.transactions = transactions;
    this.incidents = incidents;
    this.silences = silences;
    this.properties = properties;
    this.clock = clock;
    this.loop = loops.loop("alert-pruner", properties.pruningPeriod());
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "alert-pruner"));
    long period = properties.pruningPeriod().toMillis();
    var unused =
        thread.scheduleWithFixedDelay(this::attempt, period, period, TimeUnit.MILLISECONDS);
  }

  private void attempt() {
    try {
      prune();
      loop.succeeded();
    } catch (RuntimeException failure) {
      LOG.warn("Old rows of alerts are still there; tried again: {}", failure.toString());
    }
  }

  /**
   * Removes what is too old.
   *
   * @return how many rows
   */
  long prune() {
    Instant before = clock.instant().minus(TRANSITIONS);
    Instant incidentsBefore = clock.instant().minus(INCIDENTS);
    long removed = 0;
    for (TenantId organization : organizations.withOldAlerts(before, incidentsBefore)) {
      long batch;
      do {
        batch =
            transactions.within(
                organization, () -> pruneSome(organization, before, incidentsBefore));
        removed += batch;
      } while (batch > 0);
    }
    return removed;
  }

  private long pruneSome(TenantId organization, Instant before, Instant incidentsBefore) {
    if (!incidents.ownPruning(organization)) {
      return 0;
    }
    return incidents.forgetTransitions(organization, before, AT_A_TIME)
        + silences.forget(organization, before, AT_A_TIME)
        + incidents.forget(organization, incidentsBefore, AT_A_TIME);
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
